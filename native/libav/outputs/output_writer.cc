#include "libav/outputs/output_writer.h"

#include <optional>
#include <utility>

#include "libav/mux/part_file.h"
#include "libav/outputs/file_encoder.h"
#include "libav/outputs/fitted_output.h"

namespace framewright {
namespace {

// Encodes frames as they arrive: into one file, or each into a file of its own in a folder of the caller.
class StreamingOutput final : public OutputWriter {
 public:
  explicit StreamingOutput(const OutputFile& file) : path_(file.path) {
    if (!file.isSequence) part_.emplace(path_);
  }

  Status open(const OutputFile& file, const WriteWatch& watch) {
    FW_ASSIGN_OR_RETURN(encoder_, FileEncoder::open(file, part_ ? part_->path() : path_, watch));
    return {};
  }
  Status add(const ImagePtr& image, int64_t count) override { return encoder_->add(image, count); }
  Result<OutputFileResult> finish() override {
    FW_ASSIGN_OR_RETURN(OutputFileResult result, encoder_->finish());
    result.path = path_;
    return result;
  }
  Result<int64_t> publish() override { return part_ ? part_->publish() : 0; }

 private:
  const std::string path_;
  std::optional<PartFile> part_;  // removed after the encoder has closed it; none for a sequence
  std::unique_ptr<FileEncoder> encoder_;
};

}  // namespace

Result<std::unique_ptr<OutputWriter>> OutputWriter::open(const OutputFile& file, const WriteWatch& watch) {
  if (file.format == OutputFormat::kGif || file.maxBytes > 0) return openFittedOutput(file, watch);
  auto output = std::make_unique<StreamingOutput>(file);
  FW_RETURN_IF_ERROR(output->open(file, watch));
  return std::unique_ptr<OutputWriter>(std::move(output));
}

}  // namespace framewright
