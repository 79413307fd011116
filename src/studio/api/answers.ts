/** What the service answers, as far as the page reads it. */

export interface PlannedElement {
  path: string;
  type: string;
  id?: string;
  label: string;
  /** Seconds from the movie's start. */
  start: number;
  duration: number;
}

export interface PlannedScene {
  path: string;
  start: number;
  duration: number;
  transition?: { style: string; duration: number };
  elements: PlannedElement[];
}

export interface MoviePlan {
  width: number;
  height: number;
  fps: number;
  duration: number;
  frames: number;
  estimated_credits: number;
  scenes: PlannedScene[];
  elements: PlannedElement[];
  variables: Record<string, unknown>;
  warnings: Array<{ path: string; message: string }>;
}

export interface Job {
  job_id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  progress: number;
  stage?: string;
  output_uri?: string;
  duration_seconds?: number;
  estimated_credits: number;
  credits_used?: number;
  error?: { code: string; message: string };
  warnings?: string[];
  created_at: string;
  completed_at: string | null;
}

export interface AcceptedJob {
  job_id: string;
  estimated_credits: number;
  credits_remaining: number;
}

export interface Credits {
  credits_remaining: number;
  mode: 'live' | 'test';
  requests_per_minute: number;
  concurrent_jobs: number;
}

export interface InstalledComponent {
  id: string;
  title: string;
  description: string;
  /** JSON Schema. */
  settings: object;
  preview: { settings: Record<string, unknown>; at: number[]; seconds: number };
}

export interface ListedTemplate {
  id: string;
  name: string;
  updated_at: string;
}
