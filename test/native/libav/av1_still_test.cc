#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/encode/video/families.h"
#include "libav/encode/video/open_encoder.h"
#include "libav/encode/video/svt_av1/show_existing_inserter.h"
#include "libav/media_fixture.h"
#include "libav/outputs/movie_muxer.h"

using namespace framewright;

namespace {

constexpr int kWidth = 96, kHeight = 64;
constexpr size_t kFrameBytes = kWidth * kHeight * 3 / 2;
constexpr int64_t kGroup = 16;

VideoEncoderSettings settingsOf(int keyframeInterval) {
  VideoEncoderSettings settings;
  settings.encoder = "libsvtav1";
  settings.preset = "12";
  settings.crf = 30;
  settings.width = kWidth;
  settings.height = kHeight;
  settings.threads = 1;
  settings.keyframeInterval = keyframeInterval;
  settings.stillKeyframeInterval = 2 * keyframeInterval;
  return settings;
}

// Drifting noise, so that every frame depends on exact references.
ImagePtr drifting(int64_t n) {
  auto image = Image::create(PixelFormat::kI420, kWidth, kHeight).take();
  for (int i = 0; i < 3; ++i) {
    const Plane& plane = image->plane(i);
    for (int y = 0; y < plane.height; ++y)
      for (int x = 0; x < plane.width; ++x) {
        const auto u = static_cast<uint32_t>((x + 3 * n) / 5 * 2654435761u ^ (y + n) / 7 * 40503u);
        plane.data[y * plane.stride + x] = static_cast<uint8_t>(60 + (u >> 13) % 120);
      }
  }
  return image;
}

struct Submitted {
  int64_t frame = 0;
  bool isKey = false;
};

struct Stretched {
  int64_t first = 0, last = 0, extra = 0, keyInterval = 0;
};

struct Packet {
  std::vector<uint8_t> data;
  int64_t shown = 0;
  bool isKey = false;
};

std::vector<Packet> encoded(const std::vector<Submitted>& frames, const VideoEncoderSettings& settings) {
  std::vector<Packet> packets;
  OpenResult outcome = openEncoder(kSvtAv1, settings);
  REQUIRE(outcome.opened);
  AVCodecContext* context = outcome.opened->context.get();
  const PacketPtr packet(av_packet_alloc());
  for (size_t n = 0; n <= frames.size(); ++n) {
    FramePtr frame;
    if (n < frames.size()) {
      frame = FrameInput::wrap(drifting(frames[n].frame), static_cast<int64_t>(n)).take();
      if (frames[n].isKey) frame->pict_type = AV_PICTURE_TYPE_I;
    }
    REQUIRE(avcodec_send_frame(context, frame.get()) >= 0);
    while (avcodec_receive_packet(context, packet.get()) >= 0) {
      packets.push_back(
          {{packet->data, packet->data + packet->size}, packet->pts, (packet->flags & AV_PKT_FLAG_KEY) != 0});
      av_packet_unref(packet.get());
    }
  }
  return packets;
}

// Frames of an independent decoder, which must not report errors.
std::vector<uint8_t> decoded(const std::vector<uint8_t>& stream, const std::string& decoder) {
  const std::string path = fixture::path("stretched.obu"), raw = fixture::path("stretched.yuv");
  fixture::writeFile(path, stream);
  CHECK(fixture::outputOf("ffmpeg -y -nostdin -v warning -xerror -err_detect explode -c:v " + decoder +
                          " -f obu -i '" + path + "' -fps_mode passthrough -pix_fmt yuv420p -f rawvideo '" +
                          raw + "' 2>&1") == "");
  return fixture::readFile(raw);
}

struct Plan {
  std::vector<Submitted> frames;
  std::vector<Stretched> stretches;
};

// Movement and still spans, which end at any frame or before the next reference frame.
Plan randomPlan(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Plan plan;
  int64_t key = 0, frame = 0;
  for (int part = 0; part < 4; ++part) {
    const auto position = [&] { return static_cast<int64_t>(plan.frames.size()); };
    const bool startsAnew = part == 0 || pick(0, 1) == 1;
    if (startsAnew) key = position();
    Stretched insertAfter{position(), 0, pick(1, 120), startsAnew ? pick(0, 1) * pick(20, 60) : 0};
    insertAfter.last = startsAnew ? key + kGroup : key + (position() - key + kGroup - 1) / kGroup * kGroup;
    const bool stays = pick(0, 3) > 0;
    ++frame;
    if (stays) plan.stretches.push_back(insertAfter);
    for (int64_t at = position(); stays && at <= insertAfter.last; ++at)
      plan.frames.push_back({frame, at == key});
    for (int i = pick(stays ? 0 : 1, 40); i > 0; --i) {
      const bool first = position() == key;
      plan.frames.push_back({++frame, first});
    }
  }
  return plan;
}

double psnr(const ImagePtr& image, const uint8_t* decodedFrame) {
  double sum = 0;
  const Plane& plane = image->plane(0);
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      const double difference = plane.data[y * plane.stride + x] - decodedFrame[y * plane.width + x];
      sum += difference * difference;
    }
  return sum == 0 ? 100 : 10 * std::log10(255.0 * 255.0 * kWidth * kHeight / sum);
}

}  // namespace

TEST_CASE("a stretched AV1 stream decodes bit-exactly to the encoder's frames, by dav1d and libaom") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Plan plan = randomPlan(random);
    const VideoEncoderSettings settings = settingsOf(1000);
    std::vector<uint8_t> plain, stretched;
    std::vector<bool> keys;
    const auto packets = encoded(plan.frames, settings);
    REQUIRE(packets.size() == plan.frames.size());
    const auto sequence = av1::readSequenceHeader(packets[0].data);
    REQUIRE(sequence.has_value());
    ShowExistingInserter inserter(*sequence, [&](const ShowExistingInserter::TemporalUnit& unit) {
      CHECK(unit.displayIndex == static_cast<int64_t>(keys.size()));
      stretched.insert(stretched.end(), unit.data.begin(), unit.data.end());
      keys.push_back(unit.isIdr);
      return Status();
    });
    // The encoder's own reconstruction of each frame.
    std::vector<size_t> expected;
    std::vector<size_t> expectedKeys;
    auto next = plan.stretches.begin();
    for (size_t n = 0; n < plan.frames.size(); ++n) {
      if (plan.frames[n].isKey) expectedKeys.push_back(expected.size());
      expected.push_back(n);
      if (next == plan.stretches.end() || next->last != static_cast<int64_t>(n)) continue;
      const int64_t lastKey = inserter.insertAfter(next->first, next->last, next->extra, next->keyInterval);
      const int64_t group = next->last - next->first + 1, total = group + next->extra;
      const size_t start = expected.size() - static_cast<size_t>(group);
      int64_t repeatedKey = 0;
      for (int64_t i = group; i < total; ++i) {
        const bool again = next->keyInterval > 0 && i % next->keyInterval == 0 && i + group <= total;
        if (again) {
          repeatedKey = i;
          expectedKeys.push_back(expected.size());
          for (int64_t k = 0; k < group; ++k) expected.push_back(static_cast<size_t>(next->first + k));
          i += group - 1;
        } else {
          expected.push_back(n);
        }
      }
      CHECK(lastKey == repeatedKey);
      CHECK(expected.size() == start + static_cast<size_t>(total));
      ++next;
    }
    for (const Packet& packet : packets) {
      plain.insert(plain.end(), packet.data.begin(), packet.data.end());
      const Status taken = inserter.push(packet.data, packet.shown, packet.isKey);
      if (!taken.ok()) FAIL(taken.error().detail);
    }
    REQUIRE(keys.size() == expected.size());
    for (size_t k = 0; k < keys.size(); ++k)
      CHECK(keys[k] == std::binary_search(expectedKeys.begin(), expectedKeys.end(), k));
    const std::vector<uint8_t> wanted = decoded(plain, "libdav1d");
    REQUIRE(wanted.size() == plan.frames.size() * kFrameBytes);
    for (const std::string decoder : {"libdav1d", "libaom-av1"}) {
      CAPTURE(decoder);
      const std::vector<uint8_t> got = decoded(stretched, decoder);
      REQUIRE(got.size() == expected.size() * kFrameBytes);
      for (size_t k = 0; k < expected.size(); ++k) {
        CAPTURE(k);
        const auto from = wanted.begin() + static_cast<ptrdiff_t>(expected[k] * kFrameBytes);
        REQUIRE(std::equal(from, from + kFrameBytes, got.begin() + static_cast<ptrdiff_t>(k * kFrameBytes)));
      }
    }
  }
}

TEST_CASE("AV1 still spans: few frames are encoded, the output matches, and seeking works") {
  const std::vector<int64_t> stays{400, 1, 1, 1, 1, 1, 90, 1, 1, 200, 3, 30, 1, 1, 1, 8, 1, 260};
  const VideoEncoderSettings settings = settingsOf(60);
  const std::string segment = fixture::path("stays.nut"), path = fixture::path("stays.mp4");
  auto encoder = VideoEncoder::open(settings, segment).take();
  std::vector<int64_t> frames;
  for (size_t n = 0; n < stays.size(); ++n) {
    VideoFrame shown{drifting(static_cast<int64_t>(n)), stays[n]};
    REQUIRE(encoder->encode(std::move(shown)).ok());
    frames.insert(frames.end(), static_cast<size_t>(stays[n]), static_cast<int64_t>(n));
  }
  REQUIRE(encoder->finish().ok());
  CHECK(frames.size() == 1002);
  CHECK(encoder->encodedFrameCount() < 200);
  const CancelToken never;
  const auto muxer = MovieMuxer::open({{segment}, "", path}, never).take();
  REQUIRE(muxer->append(segment).ok());
  REQUIRE(muxer->finish().ok());

  for (const std::string decoder : {"libdav1d", "libaom-av1"}) {
    const std::string raw = fixture::path("stays.yuv");
    CHECK(fixture::outputOf("ffmpeg -y -nostdin -v warning -xerror -err_detect explode -c:v " + decoder +
                            " -i '" + path + "' -fps_mode passthrough -pix_fmt yuv420p -f rawvideo '" + raw +
                            "' 2>&1") == "");
    const auto got = fixture::readFile(raw);
    REQUIRE(got.size() == frames.size() * kFrameBytes);
    for (size_t k = 0; k < frames.size(); ++k) {
      CAPTURE(k);
      CHECK(psnr(drifting(frames[k]), got.data() + k * kFrameBytes) > 27);
    }
  }

  std::istringstream flags(fixture::outputOf(
      "ffprobe -v error -select_streams v -show_entries packet=flags -of csv=p=0 '" + path + "'"));
  int64_t count = 0, lastKey = 0;
  for (std::string flag; std::getline(flags, flag); ++count) {
    if (flag.find('K') == std::string::npos) continue;
    CHECK(count - lastKey <= settings.stillKeyframeInterval + kGroup);
    lastKey = count;
  }
  CHECK(count == 1002);

  for (const int64_t frame : {5, 119, 120, 121, 399, 460, 501, 702, 740, 1001}) {
    CAPTURE(frame);
    const std::string raw = fixture::path("jumped.yuv");
    fixture::outputOf("ffmpeg -y -nostdin -v error -ss " +
                      std::to_string((static_cast<double>(frame) - 0.3) / 30) + " -i '" + path +
                      "' -frames:v 1 -pix_fmt yuv420p -f rawvideo '" + raw + "' 2>&1");
    const auto got = fixture::readFile(raw);
    REQUIRE(got.size() == kFrameBytes);
    CHECK(psnr(drifting(frames[static_cast<size_t>(frame)]), got.data()) > 27);
  }
}

TEST_CASE("truncated or unsupported AV1 headers are rejected without reading past the end") {
  const auto packets = encoded({{1, true}, {2, false}}, settingsOf(100));
  const auto& key = packets[0].data;
  const auto sequence = av1::readSequenceHeader(key);
  REQUIRE(sequence.has_value());
  CHECK(sequence->orderHintBits == 7);
  for (size_t size = 0; size < std::min<size_t>(key.size(), 16); ++size)
    CHECK(!av1::readSequenceHeader({key.data(), size}).has_value());
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> damaged(key.begin(),
                                 key.begin() + static_cast<ptrdiff_t>(std::min<size_t>(key.size(), 40)));
    for (int flips = 0; flips < 3; ++flips)
      damaged[random() % damaged.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    damaged.resize(random() % (damaged.size() + 1));
    if (const auto obus = av1::splitObus(damaged))
      for (const av1::Obu& obu : *obus) av1::readFrameHeader(obu.payload, *sequence);
    av1::readSequenceHeader(damaged);
  }
  ShowExistingInserter inserter(*sequence,
                                [](const ShowExistingInserter::TemporalUnit&) { return Status(); });
  CHECK(inserter.push(key, 1, true).error().detail == "a temporal unit is out of order");
  // No frame is stored in the slot.
  CHECK(inserter.push(av1::showExistingFrame(3), 0, false).error().detail ==
        "show_existing_frame shows a key frame or an empty slot");
  CHECK(inserter.push(key, 0, true).ok());
  CHECK(inserter.push(av1::showExistingFrame(3), 1, false).error().detail ==
        "show_existing_frame shows a key frame or an empty slot");
}
