/** NestJS. `rawBody` keeps the bytes beside the parsed body. The limit of its parser is 100 kB without a word. */
import 'reflect-metadata';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);

@Controller('hooks')
class HooksController {
  @Post()
  receive(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return receiver.node(request, response);
  }
}

@Module({ controllers: [HooksController] })
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { rawBody: true });
app.useBodyParser('json', { limit: '1mb' });
await app.listen(Number(PORT));
