#!/usr/bin/env node
// JavaScript, because the compile cache must be on before Node reads the first TypeScript file: container health checks
// start marketctl often. Without a writable cache folder marketctl only starts more slowly.
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
enableCompileCache(process.env.NODE_COMPILE_CACHE || join(cacheHome, 'marketctl'));
const { runHere } = await import('./marketctl.ts');
await runHere();
