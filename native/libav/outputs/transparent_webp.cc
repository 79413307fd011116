#include "libav/outputs/transparent_webp.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "libav/outputs/encoder_error.h"

namespace framewright {
namespace {

// WebP container: https://developers.google.com/speed/webp/docs/riff_container
constexpr size_t kWebpHeaderBytes = 12, kWebpChunkBytes = 8;
constexpr uint8_t kHasAnimation = 0x02, kHasAlpha = 0x10;
constexpr uint8_t kReplacesCanvas = 0x02, kIsBlended = 0;  // of a frame, which stays afterwards
constexpr int64_t kMaxWebpDelayMs = 0xFFFFFF;
constexpr int kWebpBlock = 8;  // pixels

void appendNumber(std::vector<uint8_t>& to, int64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void appendTag(std::vector<uint8_t>& to, const char* name) { to.insert(to.end(), name, name + 4); }

// Chunks of a WebP still without its headers.
std::vector<uint8_t> imageChunksOf(const uint8_t* file, size_t size) {
  std::vector<uint8_t> chunks;
  for (size_t at = kWebpHeaderBytes; at + kWebpChunkBytes <= size;) {
    const uint8_t* const chunk = file + at;
    const size_t bytes = chunk[4] | static_cast<size_t>(chunk[5]) << 8 | static_cast<size_t>(chunk[6]) << 16 |
                         static_cast<size_t>(chunk[7]) << 24;
    const size_t end = std::min(size, at + kWebpChunkBytes + bytes + bytes % 2);
    const bool isImage = std::memcmp(chunk, "ALPH", 4) == 0 || std::memcmp(chunk, "VP8", 3) == 0;
    if (isImage && chunk[3] != 'X') chunks.insert(chunks.end(), chunk, file + end);
    at = end;
  }
  return chunks;
}

// Whether two pixels look alike: all fully transparent ones do. `a` and `b`: four bytes, alpha last.
bool isSamePixel(const uint8_t* a, const uint8_t* b, int tolerance) {
  if (a[3] != b[3]) return false;
  const auto isNear = [&](int i) { return std::abs(a[i] - b[i]) * a[3] <= tolerance * 255; };
  return isNear(0) && isNear(1) && isNear(2);
}

uint8_t* pixelAt(const AVFrame& frame, int x, int y) {
  return frame.data[0] + static_cast<ptrdiff_t>(y) * frame.linesize[0] + static_cast<ptrdiff_t>(x) * 4;
}

std::string encoderOptionOf(const CodecChoice& choice, const char* name) {
  const auto found =
      std::ranges::find(choice.encoderOptions, name, [](const auto& option) { return option.first; });
  return found == choice.encoderOptions.end() ? "" : found->second;
}

// 0 for lossless files, 1 for the best lossy ones, more for worse ones, whose coding errors are as large.
int webpToleranceOf(const CodecChoice& choice) {
  if (encoderOptionOf(choice, "lossless") == "1") return 0;
  constexpr double kWorst = 31;
  const double quality = std::sqrt(std::stod(encoderOptionOf(choice, "quality")) / 100);
  return static_cast<int>(std::lround(kWorst * (1 - quality) + quality));
}

int webpBlocksOf(int pixels) { return (pixels + kWebpBlock - 1) / kWebpBlock; }

}  // namespace

TransparentWebp::TransparentWebp(const OutputFile& file, const WriteWatch& watch, double quality)
    : file_(file),
      watch_(watch),
      choice_(chooseCodec(file, quality)),
      converter_({file.width, file.height, choice_.pixelFormat, true, file.matte}),
      tolerance_(webpToleranceOf(choice_)),
      changed_(static_cast<size_t>(webpBlocksOf(file.width)) *
               static_cast<size_t>(webpBlocksOf(file.height))) {}

Result<std::unique_ptr<FileEncoder>> TransparentWebp::open(const OutputFile& file, const std::string& path,
                                                           const WriteWatch& watch, double quality) {
  std::unique_ptr<TransparentWebp> webp(new TransparentWebp(file, watch, quality));
  webp->output_.reset(std::fopen(path.c_str(), "wbe"));
  FW_RETURN_IF_ERROR(webp->writeHeader());
  return std::unique_ptr<FileEncoder>(std::move(webp));
}

Status TransparentWebp::writeHeader() {
  std::vector<uint8_t> bytes;
  appendTag(bytes, "RIFF");
  appendNumber(bytes, 0, 4);  // finish() knows the size
  appendTag(bytes, "WEBP");
  appendTag(bytes, "VP8X");
  appendNumber(bytes, 10, 4);
  appendNumber(bytes, kHasAnimation | kHasAlpha, 4);
  appendNumber(bytes, file_.width - 1, 3);
  appendNumber(bytes, file_.height - 1, 3);
  appendTag(bytes, "ANIM");
  appendNumber(bytes, 6, 4);
  appendNumber(bytes, 0, 4);  // transparent background
  appendNumber(bytes, 0, 2);  // loops endlessly
  return write(bytes);
}

Status TransparentWebp::write(const std::vector<uint8_t>& bytes) {
  written_ += static_cast<int64_t>(bytes.size());
  if (output_ != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), output_.get()) == bytes.size())
    return {};
  return outputUnwritable(AVERROR(errno));
}

int64_t TransparentWebp::millisecondsAt(int64_t frame) const {
  return av_rescale(frame, 1000 * file_.fps.den, file_.fps.num);
}

Status TransparentWebp::add(const ImagePtr& image, int64_t count) {
  if (watch_.cancelled()) return cancelledError();
  watch_.step();
  FW_ASSIGN_OR_RETURN(const FramePtr frame, converter_.convert(*image));
  const Area area = findChanges(*frame);
  if (area.width > 0) {
    if (!still_.empty()) FW_RETURN_IF_ERROR(writeStill(frames_));
    isOver_ = shown_ != nullptr && areChangesOpaque(*frame);
    FW_RETURN_IF_ERROR(draw(*frame, area));
    if (isOver_) clearUnchanged(*frame);
    FW_RETURN_IF_ERROR(encode(*frame, area));
    stillStart_ = frames_;
  }
  frames_ += count;
  return {};
}

bool TransparentWebp::isBlockChanged(const AVFrame& frame, int column, int row) const {
  const int width = std::min(kWebpBlock, file_.width - column * kWebpBlock);
  const int bottom = std::min((row + 1) * kWebpBlock, file_.height);
  for (int y = row * kWebpBlock; y < bottom; ++y) {
    const uint8_t* before = pixelAt(*shown_, column * kWebpBlock, y);
    const uint8_t* now = pixelAt(frame, column * kWebpBlock, y);
    for (int x = 0; x < width; ++x, before += 4, now += 4) {
      if (!isSamePixel(before, now, tolerance_)) return true;
    }
  }
  return false;
}

TransparentWebp::Area TransparentWebp::findChanges(const AVFrame& frame) {
  const int columns = webpBlocksOf(file_.width), rows = webpBlocksOf(file_.height);
  int left = columns, right = 0, top = rows, bottom = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const bool isChanged = shown_ == nullptr || isBlockChanged(frame, column, row);
      changed_[static_cast<size_t>(row * columns + column)] = isChanged;
      if (!isChanged) continue;
      left = std::min(left, column), right = std::max(right, column + 1);
      top = std::min(top, row), bottom = row + 1;
    }
  }
  if (right == 0) return {};
  return {left * kWebpBlock, top * kWebpBlock, std::min(right * kWebpBlock, file_.width) - left * kWebpBlock,
          std::min(bottom * kWebpBlock, file_.height) - top * kWebpBlock};
}

bool TransparentWebp::areChangesOpaque(const AVFrame& frame) const {
  const int columns = webpBlocksOf(file_.width);
  for (int y = 0; y < file_.height; ++y) {
    for (int x = 0; x < file_.width; ++x) {
      const bool isChanged = changed_[static_cast<size_t>(y / kWebpBlock * columns + x / kWebpBlock)];
      if (isChanged && pixelAt(frame, x, y)[3] != 255) return false;
    }
  }
  return true;
}

void TransparentWebp::clearUnchanged(AVFrame& frame) const {
  const int columns = webpBlocksOf(file_.width);
  for (int y = 0; y < file_.height; ++y) {
    for (int x = 0; x < file_.width; x += kWebpBlock) {
      if (changed_[static_cast<size_t>(y / kWebpBlock * columns + x / kWebpBlock)]) continue;
      std::memset(pixelAt(frame, x, y), 0, static_cast<size_t>(std::min(kWebpBlock, file_.width - x)) * 4);
    }
  }
}

Status TransparentWebp::draw(const AVFrame& frame, const Area& area) {
  if (shown_ == nullptr) {
    shown_.reset(av_frame_alloc());
    if (shown_ == nullptr) return outOfMemory("frame");
    shown_->format = frame.format;
    shown_->width = frame.width;
    shown_->height = frame.height;
    if (av_frame_get_buffer(shown_.get(), 0) < 0) return outOfMemory("frame");
  }
  const int columns = webpBlocksOf(file_.width);
  for (int y = area.y; y < area.y + area.height; ++y) {
    for (int x = area.x; x < area.x + area.width; x += kWebpBlock) {
      if (isOver_ && !changed_[static_cast<size_t>(y / kWebpBlock * columns + x / kWebpBlock)]) continue;
      const int width = std::min(kWebpBlock, area.x + area.width - x);
      std::memcpy(pixelAt(*shown_, x, y), pixelAt(frame, x, y), static_cast<size_t>(width) * 4);
    }
  }
  return {};
}

Status TransparentWebp::encode(const AVFrame& frame, const Area& area) {
  constexpr const char* kEncoder = "libwebp";
  const AVCodec* const codec = avcodec_find_encoder_by_name(kEncoder);
  const CodecContextPtr encoder(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
  if (encoder == nullptr) return encoderUnavailable(kEncoder, AVERROR_ENCODER_NOT_FOUND);
  encoder->width = area.width;
  encoder->height = area.height;
  encoder->pix_fmt = choice_.pixelFormat;
  encoder->time_base = {1, 1000};
  Options options;
  for (const auto& [name, value] : choice_.encoderOptions) options.set(name.c_str(), value.c_str());
  int status = avcodec_open2(encoder.get(), codec, options.get());
  if (status < 0) return encoderUnavailable(kEncoder, status);
  const FramePtr part(av_frame_clone(&frame));
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, allocatePacket());
  if (part == nullptr) return outOfMemory("frame");
  part->data[0] = pixelAt(frame, area.x, area.y);
  part->width = area.width;
  part->height = area.height;
  part->pts = 0;
  status = avcodec_send_frame(encoder.get(), part.get());
  if (status >= 0) status = avcodec_receive_packet(encoder.get(), packet.get());
  if (status < 0) return encodeFailed(kEncoder, status);
  still_ = imageChunksOf(packet->data, static_cast<size_t>(packet->size));
  area_ = area;
  return {};
}

Status TransparentWebp::writeStill(int64_t end) {
  constexpr int kFrameHeaderBytes = 16;
  const int64_t delay =
      std::clamp<int64_t>(millisecondsAt(end) - millisecondsAt(stillStart_), 1, kMaxWebpDelayMs);
  std::vector<uint8_t> bytes;
  appendTag(bytes, "ANMF");
  appendNumber(bytes, kFrameHeaderBytes + static_cast<int64_t>(still_.size()), 4);
  appendNumber(bytes, area_.x / 2, 3);
  appendNumber(bytes, area_.y / 2, 3);
  appendNumber(bytes, area_.width - 1, 3);
  appendNumber(bytes, area_.height - 1, 3);
  appendNumber(bytes, delay, 3);
  appendNumber(bytes, isOver_ ? kIsBlended : kReplacesCanvas, 1);
  bytes.insert(bytes.end(), still_.begin(), still_.end());
  return write(bytes);
}

Result<OutputFileResult> TransparentWebp::finish() {
  if (!still_.empty()) FW_RETURN_IF_ERROR(writeStill(frames_));
  std::vector<uint8_t> size;
  appendNumber(size, written_ - static_cast<int64_t>(kWebpChunkBytes), 4);
  const bool isComplete = std::fseek(output_.get(), 4, SEEK_SET) == 0 &&
                          std::fwrite(size.data(), 1, size.size(), output_.get()) == size.size() &&
                          std::fclose(output_.release()) == 0;
  if (!isComplete) return outputUnwritable(AVERROR(errno));
  OutputFileResult result;
  result.frames = frames_;
  result.width = file_.width;
  result.height = file_.height;
  result.durationSeconds =
      static_cast<double>(frames_) * static_cast<double>(file_.fps.den) / static_cast<double>(file_.fps.num);
  return result;
}

}  // namespace framewright
