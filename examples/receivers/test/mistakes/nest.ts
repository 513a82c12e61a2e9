/** NestJS without `rawBody`. */
import 'reflect-metadata';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
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

const app = await NestFactory.create(AppModule);
await app.listen(Number(PORT));
