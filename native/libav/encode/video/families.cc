#include "libav/encode/video/families.h"

#include <algorithm>

namespace framewright {
namespace {

std::vector<const EncoderFamily*>& all() {
  static std::vector<const EncoderFamily*> families{&x264Family(), &kX265,      &kSvtAv1, &kVp9,
                                                    &kH264Nvenc,   &kHevcNvenc, &kAv1Nvenc,
                                                    &kH264Vaapi,   &kHevcVaapi, &kAv1Vaapi};
  return families;
}

}  // namespace

std::vector<const EncoderFamily*> encoderFamilies() { return all(); }

const EncoderFamily* findEncoderFamily(const std::string& name) {
  const auto found = std::find_if(all().begin(), all().end(),
                                  [&](const EncoderFamily* family) { return name == family->name; });
  return found == all().end() ? nullptr : *found;
}

void addEncoderFamily(const EncoderFamily& family) { all().push_back(&family); }

}  // namespace framewright
