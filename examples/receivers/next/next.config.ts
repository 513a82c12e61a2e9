/** The parts of the build that a receiver does not need are left out. */
import type { NextConfig } from 'next';

export default {
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
} satisfies NextConfig;
