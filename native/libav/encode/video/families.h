#pragma once

#include <string>
#include <vector>

#include "libav/encode/video/family.h"

namespace framewright {

// Encoder families of this folder.
extern const EncoderFamily kX265, kSvtAv1, kVp9;
// Maximum number of B-frames between two other frames of NVENC.
inline constexpr int kNvencBFrames = 3;
extern const EncoderFamily kH264Nvenc, kHevcNvenc, kAv1Nvenc;
extern const EncoderFamily kH264Vaapi, kHevcVaapi, kAv1Vaapi;
// Defined in native/x264, which builds on libav: declaring it here registers it without including that room.
const EncoderFamily& x264Family();

// All families: software encoders first, then hardware. They live as long as the process; any thread.
std::vector<const EncoderFamily*> encoderFamilies();

// The family of this name; null when there is none.
const EncoderFamily* findEncoderFamily(const std::string& name);

// Registers a family for tests. It must live as long as the process; not thread-safe.
void addEncoderFamily(const EncoderFamily& family);

}  // namespace framewright
