#include "libav/outputs/output_writer.h"

#include <utility>

#include "libav/mux/part_file.h"
#include "libav/outputs/fitted_output.h"
#include "libav/outputs/media_writer.h"

namespace framewright {
namespace {

// Encodes frames as they arrive.
class StreamingOutput final : public OutputWriter {
 public:
  explicit StreamingOutput(const OutputFile& file) : part_(file.path), path_(file.path) {}

  Status open(const OutputFile& file, const WriteWatch& watch) {
    FW_ASSIGN_OR_RETURN(writer_, MediaWriter::open(file, part_.path(), watch));
    return {};
  }
  Status add(const ImagePtr& image, int64_t count) override { return writer_->add(image, count); }
  Result<OutputFileResult> finish() override {
    FW_ASSIGN_OR_RETURN(OutputFileResult result, writer_->finish());
    result.path = path_;
    return result;
  }
  Result<int64_t> publish() override { return part_.publish(); }

 private:
  PartFile part_;  // removed after the writer has closed it
  const std::string path_;
  std::unique_ptr<MediaWriter> writer_;
};

// Encodes each frame into a file of its own, in a folder of the caller.
class SequenceOutput final : public OutputWriter {
 public:
  Status open(const OutputFile& file, const WriteWatch& watch) {
    path_ = file.path;
    FW_ASSIGN_OR_RETURN(writer_, MediaWriter::open(file, file.path, watch));
    return {};
  }
  Status add(const ImagePtr& image, int64_t count) override { return writer_->add(image, count); }
  Result<OutputFileResult> finish() override {
    FW_ASSIGN_OR_RETURN(OutputFileResult result, writer_->finish());
    result.path = path_;
    return result;
  }
  Result<int64_t> publish() override { return 0; }

 private:
  std::string path_;
  std::unique_ptr<MediaWriter> writer_;
};

template <typename Output>
Result<std::unique_ptr<OutputWriter>> openOutput(std::unique_ptr<Output> output, const OutputFile& file,
                                                 const WriteWatch& watch) {
  FW_RETURN_IF_ERROR(output->open(file, watch));
  return std::unique_ptr<OutputWriter>(std::move(output));
}

}  // namespace

Result<std::unique_ptr<OutputWriter>> OutputWriter::open(const OutputFile& file, const WriteWatch& watch) {
  if (file.format == OutputFormat::kGif || file.maxBytes > 0) return openFittedOutput(file, watch);
  if (file.isSequence) return openOutput(std::make_unique<SequenceOutput>(), file, watch);
  return openOutput(std::make_unique<StreamingOutput>(file), file, watch);
}

}  // namespace framewright
