#include "libav/hardware/interop/decode_interop.h"

namespace framewright {

Result<ImagePtr> DownloadedOnce::download() const {
  const std::lock_guard lock(downloading_);
  if (downloaded_) return *downloaded_;
  const auto download = [this]() -> Result<ImagePtr> {
    FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> image,
                        Image::create(shape_.hostFormat(), shape_.width, shape_.height));
    FW_RETURN_IF_ERROR(downloadTo(*image));
    return ImagePtr(image);
  };
  downloaded_ = download();
  if (downloaded_->ok()) {
    ++copies_->host;
  } else {
    target_->hasLostFrame = true;
  }
  return *downloaded_;
}

}  // namespace framewright
