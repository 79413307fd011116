#include "libav/outputs/file_encoder.h"

#include "libav/outputs/media_writer.h"
#include "libav/outputs/transparent_webp.h"

namespace framewright {

Result<std::unique_ptr<FileEncoder>> FileEncoder::open(const OutputFile& file, const std::string& path,
                                                       const WriteWatch& watch, double quality) {
  if (file.format == OutputFormat::kWebp && file.hasAlpha)
    return TransparentWebp::open(file, path, watch, quality);
  return MediaWriter::open(file, path, watch, quality);
}

}  // namespace framewright
