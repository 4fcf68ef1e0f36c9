/** Load balancers send requests only while the process is ready. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining';
}
