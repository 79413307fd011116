#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Rounds a finished frame of 16 bits to codes of 10 bits behind it in the target, as kernels::roundSamples. Workgroup z
// is the plane. Chroma is interleaved and codes are shifted to the upper bits for P010.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kIsP010 = 0;

layout(push_constant) uniform Push {
  Surface surface;
  uint codes;              // offset of the finished frame
  uint pairs, pairStride;  // P010: of the interleaved chroma
} push;

const int kLowest = 4, kHighest = 1019, kNearest = 8;

ivec4 codesAt(int plane, int x, int y) {
  ivec4 threshold = ivec4(kNearest);
  // One unit of distance from both ends keeps codes exact that are off by the rounding of a blend.
  if (push.surface.isDithered != 0u)
    threshold = clamp(((97 * (x + ivec4(0, 1, 2, 3)) + 73 * y) & 124 | 2) >> (7 - kFraction), 1, (1 << kFraction) - 2);
  const ivec4 samples = readTarget4(sampleAt(push.surface, plane, x, y));
  return clamp((samples + threshold) >> kFraction, kLowest, kHighest);
}

void main() {
  const int plane = int(gl_GlobalInvocationID.z), x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  ivec4 codes = codesAt(plane, x, y);
  if (kIsP010 == 0) {
    writeTarget4(push.codes + sampleAt(push.surface, plane, x, y), codes);
    return;
  }
  // Signed words hold the upper bits of unsigned ones.
  codes = bitfieldExtract(codes << 6, 0, 16);
  if (plane == 0) {
    writeTarget4(push.codes + sampleAt(push.surface, 0, x, y), codes);
  } else if (plane == 1) {
    const ivec4 red = bitfieldExtract(codesAt(2, x, y) << 6, 0, 16);
    const uint at = push.pairs + uint(2 * x) + uint(y) * push.pairStride;
    writeTarget4(at, ivec4(codes.x, red.x, codes.y, red.y));
    writeTarget4(at + 4u, ivec4(codes.z, red.z, codes.w, red.w));
  }
}
