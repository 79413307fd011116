#pragma once

#include <span>

#include "formats/image_header.h"
#include "formats/stills/heif_file.h"
#include "libav/av_handle.h"
#include "libav/demux/local_file.h"

namespace framewright {

// Decodes an image that is one packet. `configuration`: of the decoder, e.g. an hvcC record; may be empty.
// Fails with DECODE_FAILED, MEDIA_UNSUPPORTED or OUT_OF_MEMORY.
Result<FramePtr> decodeCodedImage(ImageType type, const FileBytes& bytes,
                                  std::span<const uint8_t> configuration = {});

// Decodes the tiles of an image, which must not be absent, and joins them. Fails also with MEDIA_UNREADABLE
// when they do not fit together.
Result<FramePtr> decodeTiles(ImageType type, const FileBytes& file, const HeifFile::TiledImage& image);

}  // namespace framewright
