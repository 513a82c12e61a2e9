/** OpenTelemetry, where the environment asks for it. The SDK that exports is the operator's, preloaded with `--import`. */
import type { SchedulerCallbacks } from 'headgate/delivery';

/** True where any variable of OpenTelemetry is set, and none turns it off. */
export const isTelemetryOn = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  Object.entries(environment).some(([name, value]) => name.startsWith('OTEL_') && (value ?? '') !== '');

/** Callbacks of the scheduler that measure and trace; none where the environment does not ask for them. */
export async function telemetryCallbacks(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly SchedulerCallbacks[]> {
  if (!isTelemetryOn(environment)) return [];
  const { createTelemetry } = await import('headgate/opentelemetry');
  return [createTelemetry()];
}
