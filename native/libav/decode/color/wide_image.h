#pragma once

#include "core/canvas_color.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/av_handle.h"
#include "libav/decode/color/color_space.h"
#include "libav/decode/color/icc_profile.h"
#include "libav/decode/color_conversion.h"

namespace framewright {

// A still with more than 8 bits or HDR, and how its samples describe light.
struct WideStill {
  const AVFrame& frame;
  ColorLayout layout;
  ColorSpace space;
  const IccProfile* profile = nullptr;  // grey or RGB, in place of `space`; may be null
  // Coded as an image of its own: its luma is the alpha; may be null.
  const AVFrame* alpha = nullptr;
  bool isPremultiplied = false;
};

// Whether toWideImage() reads such frames: RGB and grey with up to 16 bits, with or without alpha, and planar
// YCbCr without.
bool isWideFormat(AVPixelFormat format);

// Converts to kRgba16Straight for a canvas: to sRGB, or where an HDR still is for an HDR canvas, to its
// signals. HDR stills are tone-mapped for SDR canvases. Fails with MEDIA_UNREADABLE when the alpha does not
// fit, or OUT_OF_MEMORY.
Result<ImagePtr> toWideImage(const WideStill& still, CanvasTransfer canvas);

}  // namespace framewright
