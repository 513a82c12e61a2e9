/** OpenTelemetry: off unless asked for; then what the scheduler tells comes to the SDK that is registered. */
import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { afterEach, describe, expect, test } from 'vitest';
import { telemetryCallbacks } from '../../src/runtime/telemetry.js';

describe('OpenTelemetry', () => {
  afterEach(() => metrics.disable());

  test.for([
    [{}, 0],
    [{ OTEL_SERVICE_NAME: '' }, 0],
    [{ OTEL_SERVICE_NAME: 'hooks' }, 1],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 1],
    [{ OTEL_SERVICE_NAME: 'hooks', OTEL_SDK_DISABLED: 'true' }, 0],
    [{ NOTOTEL_X: '1' }, 0],
  ] as const)('with %j there are %i callbacks', async ([environment, count]) => {
    expect(await telemetryCallbacks(environment)).toHaveLength(count);
  });

  test('what is delivered reaches the registered SDK', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    // The SDK has the types of another copy of the API; copies of one major version share what is registered.
    metrics.setGlobalMeterProvider(provider as never);
    const [callbacks] = await telemetryCallbacks({ OTEL_SERVICE_NAME: 'hooks' });
    callbacks?.delivered?.({} as never);
    await provider.forceFlush();
    const found = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    expect(found.map(({ descriptor }) => descriptor.name)).toContain('headgate.delivery.finished');
    await provider.shutdown();
  });
});
