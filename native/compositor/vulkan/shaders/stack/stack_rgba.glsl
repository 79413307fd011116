// Images with alpha in 16 bits: premultiplied R, G, B and alpha in Q15, which become planes once they are placed, so that
// chroma comes from pixels of full resolution.
#ifdef FRAMEWRIGHT_DEEP

struct Rgba { ivec4 channels[4]; };  // of four pixels

// R, G and B are as far apart as G and R.
uint rgbaStart(uint from, int channel) {
  const int red = field(from, kPlanes);
  if (channel == 3) return uint(field(from, kPlanes + 2));
  return uint(red + channel * (field(from, kPlanes + 1) - red));
}

// Shares of luma.
vec3 shares() { return kMatrix == 0 ? vec3(0.2126, 0.7152, 0.0722) : vec3(0.2627, 0.678, 0.0593); }

vec4 lumaOf(Rgba pixels) {
  const vec3 share = shares();
  return vec4(pixels.channels[0]) * share.r + vec4(pixels.channels[1]) * share.g + vec4(pixels.channels[2]) * share.b;
}

ivec4 rounded(vec4 value) { return ivec4(floor(value + 0.5)); }

// Alpha to 0..1, luma to 0..alpha, Cb and Cr to half of alpha, as kernels::limitPremultiplied.
Rgba limited(Rgba pixels) {
  const vec3 share = shares();
  pixels.channels[3] = clamp(pixels.channels[3], 0, kFullAlpha);
  const vec4 alpha = vec4(pixels.channels[3]), luma = lumaOf(pixels), legal = clamp(luma, vec4(0.0), alpha);
  const vec4 maxBlue = alpha * (1.0 - share.b), maxRed = alpha * (1.0 - share.r);
  const vec4 blue = clamp(vec4(pixels.channels[2]) - luma, -maxBlue, maxBlue), red = clamp(vec4(pixels.channels[0]) - luma, -maxRed, maxRed);
  pixels.channels[0] = rounded(legal + red);
  pixels.channels[1] = rounded(legal - red * (share.r / share.g) - blue * (share.b / share.g));
  pixels.channels[2] = rounded(legal + blue);
  return pixels;
}

Samples planesOf(Rgba pixels) {
  const vec3 share = shares();
  const float unit = float(1 << kFraction) / float(kFullAlpha);
  const vec4 luma = lumaOf(pixels), alpha = vec4(pixels.channels[3]);
  Samples samples;
  samples.alpha = pixels.channels[3];
  if (kGroup == 0) {
    samples.first = rounded((luma * 876.0 + alpha * 64.0) * unit);
    return samples;
  }
  samples.first = rounded(((vec4(pixels.channels[2]) - luma) * (448.0 / (1.0 - share.b)) + alpha * 512.0) * unit);
  samples.second = rounded(((vec4(pixels.channels[0]) - luma) * (448.0 / (1.0 - share.r)) + alpha * 512.0) * unit);
  return samples;
}

#endif
