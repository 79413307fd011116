#pragma once

namespace framewright {

// Whether the fields of interlaced video are shown one after another as progressive frames. kAuto: of frames that
// the file marks as interlaced; kOn: of all frames.
enum class Deinterlace { kAuto, kOn, kOff };

}  // namespace framewright
