#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Makes the planes of an image from the rows of a decoded frame, whose offsets and pitches are multiples of four bytes:
// NV12, or P010 with codes of 10 bits in the upper bits. Workgroup z: 0 luma, 1 chroma.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kHasBytes = 1;

layout(push_constant) uniform Push {
  uint fromLuma, lumaPitch, fromChroma, chromaPitch;  // bytes
  uint y, u, v, lumaStride, chromaStride;             // samples
  int width, height;
} push;

uint wordAt(uint at) { return sources[0].words[at >> 2]; }
ivec4 bytesOf(uint word) { return ivec4(word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24); }
ivec2 codesOf(uint word) { return ivec2((word & 0xffffu) >> 6, word >> 22); }

// Bytes as samples of the target: codes of 10 bits have two bits more.
#ifdef FRAMEWRIGHT_DEEP
const int kGain = 4;
#else
const int kGain = 1;
#endif

void writeLuma(int x, int y) {
  const uint row = push.fromLuma + uint(y) * push.lumaPitch, to = push.y + uint(x) + uint(y) * push.lumaStride;
  if (kHasBytes == 1) {
    writeTarget4(to, bytesOf(wordAt(row + uint(x))) * kGain);
  } else {
    // The last samples of a row may end with the first word.
    const ivec2 second = x + 2 < push.width ? codesOf(wordAt(row + uint(2 * x + 4))) : ivec2(0);
    writeTarget4(to, ivec4(codesOf(wordAt(row + uint(2 * x))), second));
  }
}

// The pairs x and x + 1, as Cb, Cr, Cb, Cr.
ivec4 pairsAt(uint row, int x, int width) {
  if (x >= width) return ivec4(0);
  if (kHasBytes == 1) return bytesOf(wordAt(row + uint(2 * x))) * kGain;
  return ivec4(codesOf(wordAt(row + uint(4 * x))), x + 1 < width ? codesOf(wordAt(row + uint(4 * x + 4))) : ivec2(0));
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (gl_GlobalInvocationID.z == 0u) {
    if (x < push.width && y < push.height) writeLuma(x, y);
    return;
  }
  const int width = (push.width + 1) / 2, height = (push.height + 1) / 2;
  if (x >= width || y >= height) return;
  const uint row = push.fromChroma + uint(y) * push.chromaPitch;
  const ivec4 first = pairsAt(row, x, width), second = pairsAt(row, x + 2, width);
  const uint to = uint(x) + uint(y) * push.chromaStride;
  writeTarget4(push.u + to, ivec4(first.xz, second.xz));
  writeTarget4(push.v + to, ivec4(first.yw, second.yw));
}
