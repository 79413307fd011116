#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "devices/device_registry.h"
#include "devices/probe_cache.h"
#include "libav/decode/video_decoder.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/decode_probe.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "libav/hardware/decode/probe_clip.h"
#include "libav/media_fixture.h"

// libav's NVDEC code with the substitute driver (test/substitute-driver), which decodes what it is sent.
TEST_SUITE_BEGIN("nvidia");

namespace framewright {
namespace {

const CancelToken never;

struct SubstituteDecoders {
  explicit SubstituteDecoders(const std::string& settings = "") {
    setenv("CUDA_SUBSTITUTE", ("cards=5,other-model=4," + settings).c_str(), 1);
  }
  ~SubstituteDecoders() { unsetenv("CUDA_SUBSTITUTE"); }
  SubstituteDecoders(const SubstituteDecoders&) = delete;
  SubstituteDecoders& operator=(const SubstituteDecoders&) = delete;
};

// Decodes a generated clip on a new device, and in software. Empty: the frames are the same.
std::string differenceIn(const DecodeFormat& format) {
  const auto clip = makeProbeClip(format, kProbeWidth, kProbeHeight, 40);
  REQUIRE(clip.ok());
  const auto device = kNvdecBackend.open("0");
  if (!device.ok()) return reasonOf(device.error());
  const auto comparison = compareDecoders(clip.value().head, device.value(), 0, never);
  if (comparison.ok()) CHECK(comparison.value().frameCount == 40);
  return comparison.ok() ? "" : reasonOf(comparison.error());
}

std::vector<std::vector<uint8_t>> lumaAt(const std::string& path, const DecodeOptions& options,
                                         const std::vector<int64_t>& timesUs, std::string& backend) {
  auto video = VideoDecoder::open(path, 2, never, options);
  REQUIRE(video.ok());
  std::vector<std::vector<uint8_t>> frames;
  for (const int64_t timeUs : timesUs) {
    const auto frame = video.value()->frameAt(timeUs);
    REQUIRE(frame.ok());
    const Plane& plane = frame.value()->plane(0);
    std::vector<uint8_t>& samples = frames.emplace_back();
    for (int y = 0; y < plane.height; ++y)
      samples.insert(samples.end(), plane.data + y * plane.stride,
                     plane.data + y * plane.stride + plane.width);
  }
  backend = video.value()->report().backend;
  return frames;
}

}  // namespace

TEST_CASE("libav decodes H.264, HEVC and VP9 with NVDEC to the samples of the CPU") {
  const SubstituteDecoders card;
  for (const DecodeFormat& format : kExactFormats) {
    CAPTURE(format.name());
    const std::string difference = differenceIn(format);
    if (format.codec == AV_CODEC_ID_AV1)
      CHECK(difference.find("lacking required capabilities") != std::string::npos);
    else
      CHECK(difference == "");
  }
}

TEST_CASE("each call of NVDEC that fails excludes the device, with the reason of libav") {
  const std::pair<std::string, const char*> faults[] = {
      {"GetDecoderCaps:1:999", "CUDA_ERROR_UNKNOWN"},   {"CreateDecoder:1:2", "CUDA_ERROR_OUT_OF_MEMORY"},
      {"DecodePicture:9:999", "CUDA_ERROR_UNKNOWN"},    {"MapVideoFrame:5:999", "CUDA_ERROR_UNKNOWN"},
      {"Memcpy2D:7:700", "CUDA_ERROR_ILLEGAL_ADDRESS"}, {"CtxCreate:1:2", "CUDA_ERROR_OUT_OF_MEMORY"}};
  for (const auto& [fault, reason] : faults) {
    CAPTURE(fault);
    const SubstituteDecoders card("fault=" + fault);
    const std::string difference = differenceIn({AV_CODEC_ID_H264, 8});
    CAPTURE(difference);
    CHECK(difference.find(reason) != std::string::npos);
  }
}

TEST_CASE("a card without a free NVDEC session excludes no later video") {
  const SubstituteDecoders card("decoders=0");
  const std::string difference = differenceIn({AV_CODEC_ID_H264, 8});
  CHECK(decodeFailure(difference).isTemporary);
}

TEST_CASE("videos are decoded by NVDEC in every order of access, as by the CPU") {
  const SubstituteDecoders card;
  if (DeviceRegistry::ofProcess().nvidiaCount() == 0) return;  // run without its device files
  const std::string path = fixture::media("nvdec.mp4",
                                          "-f lavfi -i testsrc2=s=322x194:r=25:d=4 -pix_fmt yuv420p "
                                          "-c:v libx264 -bf 3 -g 50 -preset veryfast");
  const std::vector<int64_t> times{0,         40'000,    80'000,  3'000'000, 3'040'000,
                                   1'000'000, 1'040'000, 200'000, 3'960'000};
  std::string software, hardware;
  const auto expected = lumaAt(path, {}, times, software);
  CHECK(lumaAt(path, {HardwareDecode::kOn, 0}, times, hardware) == expected);
  CHECK(software.empty());
  CHECK(hardware == "nvdec");
  const std::vector<DecoderProbeResult> probes = probeDecoders();
  REQUIRE(probes.size() == std::size(kExactFormats));
  for (const DecoderProbeResult& probe : probes) {
    CAPTURE(probe.reason);
    CHECK(probe.name == "nvdec 0");
    CHECK(probe.available == (probe.format.codec != AV_CODEC_ID_AV1));
  }
}

TEST_CASE("a video continues on the CPU with the same frames if NVDEC fails in between") {
  if (DeviceRegistry::ofProcess().nvidiaCount() == 0) return;
  std::vector<int64_t> times;
  for (int i = 0; i < 100; ++i) times.push_back(i * 40'000);
  // After the probe of the video, which decodes 32 packets; the frame of the failed call is decoded again.
  int number = 0;
  for (const char* const fault : {"MapVideoFrame:70:700", "Memcpy2D:130:700", "DecodePicture:60:700"}) {
    CAPTURE(fault);
    const std::string path = fixture::media("nvdec.lost." + std::to_string(number++) + ".mp4",
                                            "-f lavfi -i testsrc2=s=322x194:r=25:d=4 -pix_fmt yuv420p "
                                            "-c:v libx264 -bf 3 -g 50 -preset veryfast");
    std::string software, hardware;
    std::vector<std::vector<uint8_t>> expected;
    {
      const SubstituteDecoders card;
      expected = lumaAt(path, {}, times, software);
    }
    {
      const SubstituteDecoders card("fault=" + std::string(fault));
      CHECK(lumaAt(path, {HardwareDecode::kOn, 0}, times, hardware) == expected);
      CHECK(hardware == "software");
    }
    // A device that failed is not used again in this process.
    ProbeCache::ofProcess().store(formatKey("nvdec 0", {AV_CODEC_ID_H264, 8}), "");
  }
}

TEST_SUITE_END();

}  // namespace framewright
