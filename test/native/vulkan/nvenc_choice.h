#pragma once

#include <string>

#include "compositor/compositor.h"
#include "libav/hardware/interop/choose_interop.h"
#include "render/render.h"

// How frames of a compositor reach NVENC in tests with the substitute driver.
namespace framewright {

// Results of probes are cached by size, so each case has its own width.
inline VideoEncoderSettings settingsOf(int width) {
  VideoEncoderSettings settings;
  settings.encoder = "h264_nvenc";
  settings.preset = "p4";
  settings.width = width;
  settings.height = 98;
  return settings;
}

inline InteropChoice choose(Compositor& compositor, int width, bool allowsInPlace = true) {
  const FrameSource source{*compositor.device(), [&](FramePlace place, int w, int h) {
                             return compositor.createDeviceFrame(place, w, h);
                           }};
  return chooseInterop(settingsOf(width), source, allowsInPlace);
}

// Why a segment's frames went their way, or why it failed.
inline std::string textOf(const Result<SegmentResult>& result) {
  return result.ok() ? result.value().interopReason : result.error().message + " " + result.error().detail;
}

}  // namespace framewright
