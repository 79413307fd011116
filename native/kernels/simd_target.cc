#include "kernels/simd_target.h"

#include <hwy/targets.h>

namespace framewright {

const char* simdTargetName() {
  // Better targets have lower bits. The CPU may support targets that this binary does not contain.
  const auto supported =
      static_cast<long long>(hwy::SupportedTargets()) & static_cast<long long>(HWY_TARGETS);
  return hwy::TargetName(static_cast<uint32_t>(supported & -supported));
}

}  // namespace framewright
