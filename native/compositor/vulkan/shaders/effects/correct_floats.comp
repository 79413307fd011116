#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Corrects colours of an SDR surface as correctColors() in deep/pixel_effects.cc. Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  float contrast, brightness, power, saturation;
} push;

const float kBlack = 16.0 / 255.0, kRange = 219.0 / 255.0;
const float kLumaOffset = float(64 << kFraction), kLumaRange = float(876 << kFraction), kGrey = float(512 << kFraction);

float corrected(float luma) {
  float code = clamp(push.contrast * (luma * kRange + kBlack - 0.5) + 0.5 + push.brightness, 0.0, 1.0);
  if (push.power != 1.0) code = code <= 0.0 ? 0.0 : pow(code, push.power);
  return (code - kBlack) / kRange;
}

void main() {
  const int plane = int(gl_GlobalInvocationID.z), x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  const uint at = sampleAt(push.surface, plane, x, y);
  ivec4 samples = readTarget4(at);
  const vec4 alpha = vec4(readTarget4(sampleAt(push.surface, plane == 0 ? 3 : 4, x, y))) / float(kFullAlpha);
  for (int i = 0; i < 4; ++i) {
    if (alpha[i] <= 0.0) continue;
    const float value = float(samples[i]);
    const float changed = plane == 0 ? (corrected((value / alpha[i] - kLumaOffset) / kLumaRange) * kLumaRange + kLumaOffset) * alpha[i]
                                     : kGrey * alpha[i] + (value - kGrey * alpha[i]) * push.saturation;
    samples[i] = int(floor(changed + 0.5));
  }
  writeTarget4(at, samples);
}
