#include "x264/packet_copy/copy_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "libav/demux/demuxer.h"
#include "libav/demux/stream_metadata.h"

namespace framewright::x264 {
namespace {

// Number of packets after the end that are searched for frames displayed before it; decoders reorder at most
// 16.
constexpr int kReorderSearchPackets = 34;
// Longer slice headers cannot be parsed and are rejected.
constexpr size_t kMaxHeaderBytes = 1024;

// Checks the frame counters of a stream from an IDR frame on: complete frames without gaps.
class CounterTracker {
 public:
  explicit CounterTracker(const h264::StreamHeaders& headers) : headers_(headers) {}

  // False when a frame is missing before this one.
  bool follows(const h264::SliceHeader& slice) {
    const uint32_t next = (lastReference_ + 1) & ((1u << headers_.frameNumBits) - 1);
    if (slice.isIdr ? slice.frameNum != 0 || slice.noOutputOfPriorPics : slice.frameNum != next) return false;
    if (slice.isIdr) ++idrCount_;
    if (slice.isReference) lastReference_ = slice.frameNum;
    order_ = headers_.hasPocLsb ? orderOf(slice) : order_ + 1;
    return true;
  }

  // Display order among all frames: the IDR count, then the POC.
  std::pair<int64_t, int64_t> displayOrder() const { return {idrCount_, order_}; }

 private:
  // Clause 8.2.1.1.
  int64_t orderOf(const h264::SliceHeader& slice) {
    const int64_t range = int64_t{1} << headers_.pocLsbBits;
    if (slice.isIdr) high_ = low_ = 0;
    const auto low = static_cast<int64_t>(slice.pocLsb);
    int64_t high = high_;
    if (low < low_ && low_ - low >= range / 2) high += range;
    if (low > low_ && low - low_ > range / 2) high -= range;
    if (slice.isReference) {
      high_ = high;
      low_ = low;
    }
    return high + low;
  }

  const h264::StreamHeaders headers_;
  uint32_t lastReference_ = 0;
  int64_t idrCount_ = 0, order_ = 0;
  int64_t high_ = 0, low_ = 0;
};

// Header information of one frame.
struct ParsedFrame {
  h264::SliceHeader first;
  double qpBytes = 0;  // slice bytes times their QP
  double bytes = 0;
};

bool isOptionalNal(int type) {
  constexpr int kMessages = 6, kDelimiter = 9, kFiller = 12;
  return type == kMessages || type == kDelimiter || type == kFiller;
}

// Parses one packet; nothing unless it contains exactly one complete frame besides droppable NAL units.
std::optional<ParsedFrame> parseFrame(const AVPacket& packet, const h264::AvcConfig& config) {
  std::vector<std::span<const uint8_t>> units;
  if (packet.size <= 0 ||
      !splitLengthPrefixed({packet.data, static_cast<size_t>(packet.size)}, config.nalLengthBytes, units))
    return std::nullopt;
  std::optional<ParsedFrame> frame;
  uint32_t lastMacroblock = 0;
  for (const auto unit : units) {
    const int type = h264::nalType(unit);
    if (unit[0] >= 0x80) return std::nullopt;  // forbidden_zero_bit: damaged
    const auto isSame = [&](const h264::Bytes& set) {
      return std::equal(unit.begin(), unit.end(), set.begin(), set.end());
    };
    if (isOptionalNal(type) || isSame(config.pair.sps) || isSame(config.pair.pps)) continue;
    if (type != h264::kSlice && type != h264::kIdrSlice) return std::nullopt;
    const h264::Bytes start = h264::unescape(unit.first(std::min(unit.size(), kMaxHeaderBytes)));
    const auto slice = h264::readSliceHeader(start, config.headers);
    if (!slice) return std::nullopt;
    if (!frame) {
      if (slice->firstMacroblock != 0 || (slice->isIdr && !slice->isReference)) return std::nullopt;
      frame.emplace();
      frame->first = *slice;
    } else {
      const h264::SliceHeader& first = frame->first;
      const bool same = slice->isIdr == first.isIdr && slice->isReference == first.isReference &&
                        slice->frameNum == first.frameNum && slice->pocLsb == first.pocLsb;
      if (!same || slice->firstMacroblock <= lastMacroblock) return std::nullopt;
    }
    lastMacroblock = slice->firstMacroblock;
    frame->bytes += static_cast<double>(unit.size());
    frame->qpBytes += static_cast<double>(unit.size()) * slice->qp;
  }
  return frame;
}

bool hasNewExtradata(const AVPacket& packet) {
  for (int i = 0; i < packet.side_data_elems; ++i) {
    if (packet.side_data[i].type == AV_PKT_DATA_NEW_EXTRADATA) return true;
  }
  return false;
}

class FileCopySource final : public CopySource {
 public:
  FileCopySource(std::unique_ptr<Demuxer> demuxer, h264::AvcConfig config, int64_t endUs,
                 const CopyRules& rules, const CancelToken& cancel)
      : demuxer_(std::move(demuxer)),
        stream_(*demuxer_->videoStream()),
        config_(std::move(config)),
        endUs_(endUs),
        rules_(rules),
        cancel_(cancel) {
    packet_.reset(av_packet_alloc());
    demuxer_->select(stream_);
  }

  int64_t endUs() const override { return endUs_; }

  std::unique_ptr<CopyableRange> findRange(std::span<const int64_t> timesUs, int64_t maxBytes) override {
    if (timesUs.size() < rules_.minFrames || packet_ == nullptr) return nullptr;
    if (!demuxer_->seek(stream_, std::max<int64_t>(0, timesUs.front())).ok()) return nullptr;
    Found found;
    if (!findIdr(timesUs, found)) return nullptr;
    if (!collect(timesUs, maxBytes, found)) return nullptr;
    const size_t count = closed_;
    if (count < rules_.minFrames || !isWorthCopying(found, count)) return nullptr;
    auto range = std::make_unique<CopyableRange>();
    range->first = found.first;
    range->config = config_;
    range->parameters.reset(avcodec_parameters_alloc());
    if (range->parameters == nullptr ||
        avcodec_parameters_copy(range->parameters.get(), stream_.codecpar) < 0)
      return nullptr;
    found.frames.resize(count);
    range->frames = std::move(found.frames);
    return range;
  }

 private:
  struct Found {
    size_t first = 0;  // index of the frame that shows the IDR frame
    std::vector<CopyableRange::CodedFrame> frames;
    std::vector<std::pair<int64_t, int64_t>> displayOrders;
    std::vector<ParsedFrame> parsed;
  };

  // Reads the next packet that can be part of a range.
  bool read() {
    if (cancel_.cancelled()) return false;
    const auto more = demuxer_->read(*packet_);
    return more.ok() && more.value();
  }

  bool isUsable() const {
    return packet_->pts != AV_NOPTS_VALUE && !hasNewExtradata(*packet_) &&
           (packet_->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) == 0;
  }

  int64_t packetTimeUs() const { return demuxer_->toMediaUs(stream_, packet_->pts); }

  // Index of the first requested frame that shows this time; timesUs.size() when there is none.
  int64_t frameOf(std::span<const int64_t> timesUs, int64_t frameTimeUs) const {
    const int64_t target = frameTimeUs - frameTimeSlackUs(stream_);
    return std::lower_bound(timesUs.begin(), timesUs.end(), target) - timesUs.begin();
  }

  // Positions packet_ at the first IDR frame that is shown by a requested frame, but not before all of them.
  bool findIdr(std::span<const int64_t> timesUs, Found& found) {
    const int64_t frameUs = timesUs[1] - timesUs[0];
    while (read()) {
      if (packet_->pts == AV_NOPTS_VALUE) return false;
      if (packetTimeUs() + frameUs <= timesUs.front() + frameTimeSlackUs(stream_)) continue;
      const int64_t frame = frameOf(timesUs, packetTimeUs());
      const auto parsed = parseFrame(*packet_, config_);
      if (!parsed || !parsed->first.isIdr || !isUsable()) {
        // No match is possible far behind the end.
        if (frame >= static_cast<int64_t>(timesUs.size())) return false;
        continue;
      }
      if (frame + static_cast<int64_t>(rules_.minFrames) > static_cast<int64_t>(timesUs.size())) return false;
      found.first = static_cast<size_t>(frame);
      return true;
    }
    return false;
  }

  // Collects packets from packet_ on. False when a frame after the end is displayed before it.
  bool collect(std::span<const int64_t> timesUs, int64_t maxBytes, Found& found) {
    const int64_t frames = static_cast<int64_t>(timesUs.size() - found.first);
    CounterTracker counters(config_.headers);
    std::vector<bool> isTaken(static_cast<size_t>(frames), false);
    int64_t bytes = 0;
    do {
      const auto parsed = parseFrame(*packet_, config_);
      const int64_t shown =
          isUsable() ? frameOf(timesUs, packetTimeUs()) - static_cast<int64_t>(found.first) : -1;
      bytes += packet_->size;
      if (!parsed || shown < 0 || shown >= frames || bytes > maxBytes || !counters.follows(parsed->first) ||
          isTaken[static_cast<size_t>(shown)])
        break;
      isTaken[static_cast<size_t>(shown)] = true;
      PacketPtr clone(av_packet_clone(packet_.get()));
      if (clone == nullptr) return false;
      found.frames.push_back({std::move(clone), shown, parsed->first.isIdr, parsed->first.isReference});
      found.displayOrders.push_back(counters.displayOrder());
      found.parsed.push_back(*parsed);
    } while (read());
    if (cancel_.cancelled()) return false;
    closed_ = closedFrameCount(found);
    for (int behind = 0; packet_->data != nullptr && behind < kReorderSearchPackets; ++behind) {
      if (packet_->pts == AV_NOPTS_VALUE) return false;
      const int64_t shown = frameOf(timesUs, packetTimeUs()) - static_cast<int64_t>(found.first);
      if (shown < static_cast<int64_t>(closed_)) return false;
      if (!read()) break;
    }
    return true;
  }

  // Number of leading frames that are output before all others, in decoder order, and do not end
  // with a key frame: consecutive key frames must not look alike, and another may follow.
  size_t closedFrameCount(const Found& found) const {
    int64_t last = -1;
    size_t closed = 0;
    for (size_t i = 0; i < found.frames.size(); ++i) {
      const int64_t shown = found.frames[i].displayIndex;
      const auto index = static_cast<int64_t>(i);
      if (index - shown > rules_.reorderFrames) break;
      last = std::max(last, shown);
      if (last == index && !found.frames[i].isIdr) closed = i + 1;
    }
    std::vector<std::pair<int64_t, int64_t>> displayOrders(closed);
    for (size_t i = 0; i < closed; ++i)
      displayOrders[static_cast<size_t>(found.frames[i].displayIndex)] = found.displayOrders[i];
    const auto broken =
        std::adjacent_find(displayOrders.begin(), displayOrders.end(), std::greater_equal<>());
    return broken == displayOrders.end() ? closed : 0;
  }

  bool isWorthCopying(const Found& found, size_t count) const {
    double bytes = 0, qpBytes = 0;
    for (size_t i = 0; i < count; ++i) {
      bytes += found.parsed[i].bytes;
      qpBytes += found.parsed[i].qpBytes;
    }
    const double each = bytes / static_cast<double>(count);
    const bool isAsCoarse = qpBytes >= rules_.minQp * bytes;
    return each <= rules_.freeBytes || (isAsCoarse && each <= rules_.maxBytes);
  }

  std::unique_ptr<Demuxer> demuxer_;
  AVStream& stream_;
  const h264::AvcConfig config_;
  const int64_t endUs_;
  const CopyRules rules_;
  const CancelToken& cancel_;
  PacketPtr packet_;
  size_t closed_ = 0;
};

}  // namespace

std::unique_ptr<CopySource> CopySource::open(const std::string& path, const CopyRules& rules,
                                             const CancelToken& cancel) {
  auto opened = Demuxer::open(path);
  if (!opened.ok() || opened.value()->videoStream() == nullptr) return nullptr;
  auto demuxer = opened.take();
  // AVI has no presentation timestamps.
  if (std::strcmp(demuxer->container(), "avi") == 0) return nullptr;
  AVStream& stream = *demuxer->videoStream();
  const AVCodecParameters& parameters = *stream.codecpar;
  if (parameters.codec_id != AV_CODEC_ID_H264 || parameters.extradata_size <= 0) return nullptr;
  const auto config =
      h264::readAvcConfig({parameters.extradata, static_cast<size_t>(parameters.extradata_size)});
  if (!config) return nullptr;
  const h264::StreamHeaders& source = config->headers;
  // Players support level 4.2 throughout.
  constexpr int kCommonLevel = 42;
  const bool fits = source.widthInMbs == rules.encoder.widthInMbs &&
                    source.heightInMbs == rules.encoder.heightInMbs &&
                    source.cropping == rules.encoder.cropping &&
                    source.level <= std::max(rules.encoder.level, kCommonLevel) &&
                    source.maxRefFrames <= h264::maxDpbFrames(source.level, source.macroblockCount);
  if (!fits || !streamOrientation(stream).isIdentity()) return nullptr;
  const auto endUs = demuxer->findEndUs(stream);
  if (!endUs.ok()) return nullptr;
  return std::make_unique<FileCopySource>(std::move(demuxer), *config, endUs.value(), rules, cancel);
}

}  // namespace framewright::x264
