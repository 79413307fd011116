#include "audio/mix.h"

namespace framewright {

void mixInto(float* sumLeft, float* sumRight, const float* left, const float* right, int64_t count,
             float fromGain, float toGain) {
  if (count <= 0) return;
  if (fromGain == toGain) {
    for (int64_t i = 0; i < count; ++i) {
      sumLeft[i] += left[i] * fromGain;
      sumRight[i] += right[i] * fromGain;
    }
    return;
  }
  const float step = (toGain - fromGain) / static_cast<float>(count);
  for (int64_t i = 0; i < count; ++i) {
    const float gain = fromGain + step * static_cast<float>(i);
    sumLeft[i] += left[i] * gain;
    sumRight[i] += right[i] * gain;
  }
}

}  // namespace framewright
