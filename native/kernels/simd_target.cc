#include "kernels/simd_target.h"

#include <hwy/targets.h>

namespace framewright {

const char* simdTargetName() {
  // Better targets have lower bits.
  // A CPU may know more than this compiler could build for.
  const auto supported =
      static_cast<long long>(hwy::SupportedTargets()) & static_cast<long long>(HWY_TARGETS);
  return hwy::TargetName(static_cast<uint32_t>(supported & -supported));
}

}  // namespace framewright
