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

// Alpha to 0..1, colours to 0..alpha, as kernels::limitPremultiplied.
Rgba limited(Rgba pixels) {
  pixels.channels[3] = clamp(pixels.channels[3], 0, kFullAlpha);
  for (int channel = 0; channel < 3; ++channel)
    pixels.channels[channel] = clamp(pixels.channels[channel], ivec4(0), pixels.channels[3]);
  return pixels;
}

ivec4 rounded(vec4 value) { return ivec4(floor(value + 0.5)); }

Samples planesOf(Rgba pixels) {
  const float redShare = kMatrix == 0 ? 0.2126 : 0.2627, blueShare = kMatrix == 0 ? 0.0722 : 0.0593;
  const float greenShare = 1.0 - redShare - blueShare, unit = float(1 << kFraction) / float(kFullAlpha);
  const vec4 red = vec4(pixels.channels[0]), green = vec4(pixels.channels[1]), blue = vec4(pixels.channels[2]),
             alpha = vec4(pixels.channels[3]);
  const vec4 luma = red * redShare + green * greenShare + blue * blueShare;
  Samples samples;
  samples.alpha = pixels.channels[3];
  if (kGroup == 0) {
    samples.first = rounded((luma * 876.0 + alpha * 64.0) * unit);
    return samples;
  }
  samples.first = rounded(((blue - luma) * (448.0 / (1.0 - blueShare)) + alpha * 512.0) * unit);
  samples.second = rounded(((red - luma) * (448.0 / (1.0 - redShare)) + alpha * 512.0) * unit);
  return samples;
}

#endif
