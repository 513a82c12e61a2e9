/** The routes of the app, and that of the mistake. */
import { type RouteConfig, route } from '@react-router/dev/routes';

export default [route('hooks', 'hooks.ts'), route('mistakes', 'mistakes.ts')] satisfies RouteConfig;
