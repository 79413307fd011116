#pragma once

#include <string>
#include <vector>

#include "libav/encode/video/family.h"

namespace framewright {

extern const EncoderFamily kX264, kX265, kSvtAv1;
extern const EncoderFamily kH264Nvenc, kHevcNvenc, kAv1Nvenc;
extern const EncoderFamily kH264Vaapi, kHevcVaapi, kAv1Vaapi;

// All of them: those on the processor first, then hardware.
std::vector<const EncoderFamily*> encoderFamilies();

// Null when there is none of this name.
const EncoderFamily* findEncoderFamily(const std::string& name);

// Adds one, which must live as long as the process; not while others look. For tests, whose encoders break
// when they are told to.
void addEncoderFamily(const EncoderFamily& family);

}  // namespace framewright
