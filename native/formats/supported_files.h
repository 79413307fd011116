#pragma once

#include <cstdint>

#include "core/result.h"

// The supported formats and limits of media, for checks and messages.
namespace framewright {

inline constexpr int kMaxImageSide = 16384;             // pixels
inline constexpr int64_t kMaxImagePixels = 50'000'000;  // width times height

inline constexpr int64_t kMaxMediaSeconds = 24 * 3600;

// SVG is rasterised before it reaches the engine.
#define FRAMEWRIGHT_SUPPORTED_IMAGES "png, jpeg, webp, gif, bmp, tiff, avif, heic, svg"
inline constexpr const char* kSupportedImages = FRAMEWRIGHT_SUPPORTED_IMAGES;
inline constexpr const char* kSupportedFiles =
    "mp4/mov, matroska/webm, mpeg-ts, mpeg-ps, mxf, avi, flv, wmv, dv, mp3, aac, wav, w64, aiff, caf, au, "
    "ogg, flac, wavpack, amr, ac3, eac3; " FRAMEWRIGHT_SUPPORTED_IMAGES;
#undef FRAMEWRIGHT_SUPPORTED_IMAGES

// Fails with MEDIA_UNSUPPORTED when a duration in microseconds exceeds kMaxMediaSeconds.
Status checkLength(int64_t lengthUs);

}  // namespace framewright
