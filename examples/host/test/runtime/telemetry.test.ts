/** OpenTelemetry: off unless asked for; then what the scheduler tells comes to the SDK that is registered. */
import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { afterEach, describe, expect, test } from 'vitest';
import { readTelemetry } from '../../src/runtime/telemetry.js';

describe('OpenTelemetry', () => {
  afterEach(() => metrics.disable());

  test.for([
    [{}, false],
    [{ OTEL_SERVICE_NAME: '' }, false],
    [{ OTEL_SERVICE_NAME: 'hooks' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
    [{ OTEL_SERVICE_NAME: 'hooks', OTEL_SDK_DISABLED: 'true' }, false],
    [{ NOTOTEL_X: '1' }, false],
  ] as const)('with %j it is on: %j', async ([environment, isOn]) => {
    expect((await readTelemetry(environment)) !== null).toBe(isOn);
  });

  test('what is delivered reaches the registered SDK', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    // The SDK has the types of another copy of the API; copies of one major version share what is registered.
    metrics.setGlobalMeterProvider(provider as never);
    const telemetry = await readTelemetry({ OTEL_SERVICE_NAME: 'hooks' });
    telemetry?.callbacks.delivered?.({} as never);
    await provider.forceFlush();
    const found = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    expect(found.map(({ descriptor }) => descriptor.name)).toContain('headgate.delivery.finished');
    await provider.shutdown();
  });
});
