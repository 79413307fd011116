#pragma once

namespace framewright {

// The instruction set that the kernels run on here, e.g. "AVX3".
const char* simdTargetName();

}  // namespace framewright
