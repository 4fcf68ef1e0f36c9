import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addCategories } from './seed-categories.ts';
import { addDemo } from './seed-demo.ts';

export function register(noun: Command, cli: Cli): void {
  addCategories(noun, cli);
  addDemo(noun, cli);
}
