#include "kernels/simd_target.h"

#include <hwy/targets.h>

namespace framewright {

const char* simdTargetName() {
  // Better targets have lower bits.
  const auto supported = static_cast<long long>(hwy::SupportedTargets());
  return hwy::TargetName(static_cast<uint32_t>(supported & -supported));
}

}  // namespace framewright
