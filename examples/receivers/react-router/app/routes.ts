/** The routes of the app. */
import { type RouteConfig, route } from '@react-router/dev/routes';

export default [route('hooks', 'hooks.ts')] satisfies RouteConfig;
