#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Fade with a horizontal blur: each sample is the mean of the samples from it on, as
// cpu/transitions/draw_blocks.cc. Source 0: the old image, 1: the new one. One workgroup per row, one stretch
// per invocation; z is the plane.
const int kStretches = 128;
layout(local_size_x = 128) in;
layout(push_constant) uniform Push {
  Surface surface;
  int weight;
  int sizes[2];  // samples per mean for luma and chroma
} push;

shared uint before[kStretches];  // sums of the stretches, then prefix sums

uint start;
int count;

uint faded(int x) {
  const uint at = start + uint(x);
  return uint(lerp(ivec4(readSource(0u, at)), ivec4(readSource(1u, at)), ivec4(push.weight)).x);
}

// Sum of the samples before `x`, which is in or right after this stretch.
uint sumBefore(int x, int stretch) {
  const int of = min(x / stretch, kStretches - 1);
  uint sum = before[of];
  for (int k = of * stretch; k < x; ++k) sum += faded(k);
  return sum;
}

void main() {
  const int plane = int(gl_WorkGroupID.z), y = int(gl_WorkGroupID.x), me = int(gl_LocalInvocationID.x);
  const ivec2 area = sizeOf(push.surface, plane);
  count = area.x;
  start = sampleAt(push.surface, plane, 0, min(y, area.y - 1));
  const int stretch = (count + 4 * kStretches - 1) / (4 * kStretches) * 4;
  const int first = min(me * stretch, count), end = min(first + stretch, count);
  uint own = 0u;
  for (int x = first; x < end; ++x) own += faded(x);
  before[me] = own;
  barrier();
  for (int reach = 1; reach < kStretches; reach *= 2) {
    const uint left = me >= reach ? before[me - reach] : 0u;
    barrier();
    before[me] += left;
    barrier();
  }
  const uint all = before[me] - own;
  barrier();
  before[me] = all;
  barrier();
  if (y >= area.y || first >= end) return;
  const int size = push.sizes[plane == 0 ? 0 : 1], whole = count - size;
  const uint share = (1u << 24) / uint(size);
  uint sum = sumBefore(min(first + size, count), stretch) - all;
  for (int x = first; x < end; x += 4) {
    ivec4 means = ivec4(0);
    for (int i = 0; i < 4 && x + i < end; ++i) {
      const int at = x + i;
      const uint rest = uint(count - at);
      means[i] = int(at < whole ? (sum * share + (1u << 23)) >> 24 : (sum + rest / 2u) / rest);
      if (at < whole) sum += faded(at + size);
      sum -= faded(at);
    }
    target[(start + uint(x)) >> 2] = pack(means);
  }
}
