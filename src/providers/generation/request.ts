/** A picture or film that a script describes. */
export interface GenerationRequest {
  kind: 'image' | 'video';
  prompt: string;
  aspectRatio: 'horizontal' | 'vertical' | 'squared';
  /** Absent: the operator's first. */
  model?: string;
  /** Name of the provider; absent: the one that there is. */
  connection?: string;
  /** As the script has them; only what is known to be safe reaches a provider. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

/** Values of a form or of JSON. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** What a provider is asked for: all that decides what it makes. */
export interface ProviderRequest {
  prompt: string;
  model: string;
  /** `1536x1024`, or `auto`. */
  size: string;
  settings: Settings;
}

export interface GenerationProvider {
  /** Changes whenever the same request may give something else. */
  readonly version: string;
  /** Writes what it makes to `path`. Failures are AppErrors that clients may read. */
  generate(request: ProviderRequest, path: string, signal: AbortSignal): Promise<void>;
}
