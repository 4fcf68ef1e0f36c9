/** Where the process stands: load balancers send requests only while it is ready. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining';
}
