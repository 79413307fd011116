#pragma once

namespace framewright {

// Whether films may be decoded by a graphics card. kAuto: where it proves right and wins clearly. kOn: where
// it proves right.
enum class HardwareDecode { kAuto, kOff, kOn };

}  // namespace framewright
