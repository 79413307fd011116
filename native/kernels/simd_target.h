#pragma once

namespace framewright {

// Name of the instruction set that the kernels use on this CPU, e.g. "AVX3".
const char* simdTargetName();

}  // namespace framewright
