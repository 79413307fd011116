#pragma once

namespace framewright {

// Whether a graphics device may decode videos. kAuto: where its output is correct and it is clearly faster.
// kOn: where its output is correct.
enum class HardwareDecode { kAuto, kOff, kOn };

}  // namespace framewright
