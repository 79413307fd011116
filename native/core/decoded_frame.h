#pragma once

#include <memory>

#include "core/image.h"

namespace framewright {

// A decoded frame in device memory, and the way to its samples without that device's compositor. Owns what
// the memory needs: it is reused after the last reference is released. Any thread.
class DecodedFrame {
 public:
  virtual ~DecodedFrame() = default;
  // The samples as kI420, or kI010 of 10 bits, with left-sited chroma in main memory, downloaded by the first
  // call. Fails with GPU_FAILED or OUT_OF_MEMORY.
  virtual Result<ImagePtr> download() const = 0;
};

// The image itself, or a decoded frame downloaded from the device.
inline Result<ImagePtr> downloadImage(ImagePtr image) {
  if (image == nullptr || image->decodedFrame() == nullptr) return image;
  FW_ASSIGN_OR_RETURN(ImagePtr downloaded, image->decodedFrame()->download());
  if (downloaded->siting == image->siting) return downloaded;
  Plane planes[3];
  for (int i = 0; i < downloaded->planeCount(); ++i) planes[i] = downloaded->plane(i);
  const std::shared_ptr<Image> sited =
      Image::wrap(downloaded->format(), downloaded->width(), downloaded->height(), planes, downloaded);
  sited->siting = image->siting;
  return ImagePtr(sited);
}

}  // namespace framewright
