#include "kernels/mean/shifted_mean.h"

namespace framewright::kernels::reference {

void addShifted(uint16_t* sums, const uint8_t* upper, const uint8_t* lower, int right, int down,
                size_t count) {
  for (size_t i = 0; i < count; ++i) {
    sums[i] = static_cast<uint16_t>(
        sums[i] + shiftedSample(upper[i], upper[i + 1], lower[i], lower[i + 1], right, down));
  }
}

void averageRow(uint8_t* dst, const uint16_t* sums, int copies, size_t count) {
  // Half a level, and the mean of what two truncated products lose.
  const uint32_t offset = 3 * static_cast<uint32_t>(copies),
                 divisor = kSumUnit * static_cast<uint32_t>(copies);
  for (size_t i = 0; i < count; ++i) dst[i] = static_cast<uint8_t>((sums[i] + offset) / divisor);
}

}  // namespace framewright::kernels::reference
