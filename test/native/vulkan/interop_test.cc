#include <cstring>
#include <map>

#include "core/planes.h"
#include "libav/encode/video/families.h"
#include "libav/hardware/interop/choose_interop.h"
#include "libav/hardware/interop/cuda_driver.h"
#include "libav/hardware/interop/in_place_frames.h"
#include "libav/hardware/interop/interop_backend.h"
#include "render/clip_movie.h"
#include "vulkan/software_device.h"

namespace framewright {
namespace {

// Behaviour of a simulated driver.
enum class Manner {
  kWorks,
  kDoesNotOpen,
  kRefusesFrames,
  kShiftsRows,
  kSwapsChroma,
  kKeepsOldImages,
  kMixesUpWhenEncoding,
  kBreaksLater,
};

Manner manner = Manner::kWorks;
int opened = 0, framesLeft = 0;
SoftwareDevice* importer = nullptr;  // another device of the same vendor, such as CUDA's

// The frame's memory as seen by another API: imported by its descriptor, mapped, and copied out.
class ImportedMemory {
 public:
  explicit ImportedMemory(const DeviceMemory& memory) {
    const auto fd = memory.exportFd();
    REQUIRE(fd.ok());
    const vulkan::DeviceFunctions& vk = importer->device->functions();
    VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
    import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    import.fd = fd.value();
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import};
    info.allocationSize = memory.bytes();
    REQUIRE(vk.AllocateMemory(importer->device->handle(), &info, nullptr, &memory_) == VK_SUCCESS);
    void* address = nullptr;
    REQUIRE(vk.MapMemory(importer->device->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &address) == VK_SUCCESS);
    bytes = static_cast<uint8_t*>(address);
  }
  ~ImportedMemory() {
    importer->device->functions().FreeMemory(importer->device->handle(), memory_, nullptr);
  }
  ImportedMemory(const ImportedMemory&) = delete;
  ImportedMemory& operator=(const ImportedMemory&) = delete;

  uint8_t* bytes = nullptr;

 private:
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

class Importing final : public FrameInterop {
 public:
  AVPixelFormat format() const override { return AV_PIX_FMT_NV12; }
  AVBufferRef* pool() const override { return nullptr; }
  int64_t copiedFrames() const override { return frames_; }

  Result<FramePtr> frame(const ImagePtr& image) override {
    ++frames_;
    const bool isRefused =
        manner == Manner::kRefusesFrames || (manner == Manner::kBreaksLater && framesLeft-- <= 0);
    if (isRefused) return Error{ErrorCode::ENCODE_FAILED, "the device takes no image", "by a test"};
    const auto& memory = image->deviceMemory();
    REQUIRE(memory != nullptr);
    auto& imported = imported_[memory];
    if (imported == nullptr) imported = std::make_unique<ImportedMemory>(*memory);
    FramePtr frame(av_frame_alloc());
    frame->format = AV_PIX_FMT_NV12;
    frame->width = image->width();
    frame->height = image->height();
    REQUIRE(av_frame_get_buffer(frame.get(), 0) >= 0);
    // Frames after the fifth belong to the probe's second part.
    const bool isLate = manner == Manner::kMixesUpWhenEncoding && frames_ > 5;
    for (int p = 0; p < 2; ++p) {
      const DeviceMemory::Rows& rows = memory->rows(p);
      CHECK(rows.pitch % 256 == 0);
      Plane from = image->plane(p);
      from.data = imported->bytes + rows.offset + (manner == Manner::kShiftsRows && p == 1 ? 64 : 0);
      from.stride = rows.pitch;
      copyPlane(from, {frame->data[p], frame->linesize[p], from.width, from.height}, p + 1);
    }
    if (manner == Manner::kSwapsChroma || isLate) {
      for (int y = 0; y < image->plane(1).height; ++y) {
        uint8_t* const row = frame->data[1] + y * frame->linesize[1];
        for (int x = 0; x + 1 < frame->linesize[1]; x += 2) std::swap(row[x], row[x + 1]);
      }
    }
    if (manner == Manner::kKeepsOldImages) std::swap(frame, last_);
    if (frame == nullptr) frame.reset(av_frame_clone(last_.get()));
    return frame;
  }

 private:
  std::map<std::shared_ptr<const DeviceMemory>, std::unique_ptr<ImportedMemory>> imported_;
  FramePtr last_;
  int frames_ = 0;
};

const InteropBackend kImporting{
    "import", FramePlace::kOpaque,
    [](const EncoderFamily& family) { return std::string_view(family.name) == "test-handed"; },
    [](const DeviceIdentity& device, int, int) -> Result<std::unique_ptr<FrameInterop>> {
      CHECK(device.isKnown());
      ++opened;
      if (manner == Manner::kDoesNotOpen) return Error{ErrorCode::ENCODER_UNAVAILABLE, "no driver", ""};
      return std::unique_ptr<FrameInterop>(std::make_unique<Importing>());
    }};

const EncoderFamily kHanded{
    .name = "test-handed",
    .codec = VideoCodec::kH264,
    .libavName = "libx264",
    .inputFormat = AV_PIX_FMT_NV12,
    .configure = [](const VideoEncoderSettings& settings, int variant, AVCodecContext& context,
                    Options& options) { x264Family().configure(settings, variant, context, options); }};

// Registers the test's backend and encoder once.
struct Handed {
  SoftwareDevice software;
  Handed() {
    importer = &software;
    opened = 0;
    if (findEncoderFamily(kHanded.name) != nullptr) return;
    addEncoderFamily(kHanded);
    addInteropBackend(kImporting);
  }
  ~Handed() {
    importer = nullptr;
    manner = Manner::kWorks;
  }
  void checkQuiet() const {
    INFO(software.firstMessage());
    CHECK(software.messages.empty());
  }
};

// Probe results are cached by size, so each test has its own size.
VideoEncoderSettings settingsOf(int width, int height) {
  VideoEncoderSettings settings;
  settings.encoder = kHanded.name;
  settings.width = width;
  settings.height = height;
  settings.threads = 1;
  return settings;
}

InteropChoice choose(Handed& handed, Manner how, int width, int height) {
  manner = how;
  const auto compositor = handed.software.compositor();
  return chooseInterop(settingsOf(width, height),
                       {*compositor->device(), [&](FramePlace place, int w, int h) {
                          return compositor->createDeviceFrame(place, w, h);
                        }});
}

// Colours that change in every frame.
Timeline movie(int width, int height) {
  Timeline timeline = fixture::clipMovie("handed.mp4", width, height, {4, 4, width - 20.0, height - 10.0});
  timeline.compositor = CompositorChoice::kVulkan;
  timeline.encode.encoder = kHanded.name;
  // Lossless: at other settings x264 may decide differently from run to run.
  timeline.encode.crf = 0;
  return timeline;
}

}  // namespace

TEST_CASE("a correct interop backend is used and probed once per size") {
  Handed handed;
  if (!handed.software.device->exports(FramePlace::kOpaque)) return;
  for (const auto& [width, height] : {std::pair{320, 182}, std::pair{70, 50}}) {
    const InteropChoice first = choose(handed, Manner::kWorks, width, height);
    INFO(first.reason);
    CHECK(first.name == "import");
    CHECK(first.place == FramePlace::kOpaque);
    CHECK(first.interop != nullptr);
    CHECK(opened == 2);  // once for the probe, once for use
    CHECK(choose(handed, Manner::kWorks, width, height).name == "import");
    CHECK(opened == 3);
    opened = 0;
  }
  handed.checkQuiet();
}

TEST_CASE("an interop backend with wrong frames is rejected with a reason") {
  Handed handed;
  if (!handed.software.device->exports(FramePlace::kOpaque)) return;
  const std::pair<Manner, const char*> cases[] = {
      {Manner::kDoesNotOpen, "import: no driver"},
      {Manner::kRefusesFrames, "import: the device takes no image (by a test)"},
      {Manner::kShiftsRows, "import: the samples differ from those sent"},
      {Manner::kSwapsChroma, "import: the samples differ from those sent"},
      {Manner::kKeepsOldImages, "import: the samples differ from those sent"},
      {Manner::kMixesUpWhenEncoding, "import: the encoded frames differ from those sent"}};
  int width = 130;
  for (const auto& [how, reason] : cases) {
    width += 2;
    const InteropChoice choice = choose(handed, how, width, 98);
    CHECK(choice.name.empty());
    CHECK(choice.place == FramePlace::kHost);
    CHECK(choice.interop == nullptr);
    CHECK(choice.reason == reason);
    // The probe result is cached; no second probe.
    opened = 0;
    CHECK(choose(handed, Manner::kWorks, width, 98).reason == reason);
    CHECK(opened == 0);
  }
  handed.checkQuiet();
}

TEST_CASE("frames stay in main memory if the device cannot export its memory") {
  Handed handed;
  const VideoEncoderSettings settings = settingsOf(98, 66);
  const InteropChoice choice =
      chooseInterop(settings, {handed.software.device->properties().identity, [](FramePlace, int, int) {
                                 return Error{ErrorCode::GPU_FAILED, "nothing is given out", ""};
                               }});
  CHECK(choice.name.empty());
  CHECK(choice.reason == "import: nothing is given out");
  VideoEncoderSettings others = settings;
  others.encoder = "libx264";
  CHECK(chooseInterop(others, {}).reason.empty());
  const auto dmaBuf = handed.software.compositor()->createDeviceFrame(FramePlace::kDmaBuf, 64, 48);
  CHECK(dmaBuf.ok() == handed.software.device->exports(FramePlace::kDmaBuf));
  handed.checkQuiet();
}

TEST_CASE("a segment with frames in device memory equals one through main memory") {
  Handed handed;
  if (!handed.software.device->exports(FramePlace::kOpaque)) return;
  const CancelToken never;
  const std::string through = fixture::path("through.nut"), within = fixture::path("within.nut");
  manner = Manner::kDoesNotOpen;
  const auto expected = renderSegment(movie(66, 50), {0, 40}, through, {}, never);
  REQUIRE(expected.ok());
  CHECK(expected.value().interop.empty());
  CHECK(expected.value().interopReason == "import: no driver");
  // With a cached probe result, a failure during a render falls back without changing the output.
  for (const auto& [how, breaksAfter] : {std::pair{Manner::kWorks, 0}, std::pair{Manner::kBreaksLater, 17}}) {
    disableInterop("import", settingsOf(66, 50), importer->device->properties().identity, "");
    manner = how;
    framesLeft = breaksAfter;
    const auto drawn = renderSegment(movie(66, 50), {0, 40}, within, {}, never);
    INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
    REQUIRE(drawn.ok());
    const bool breaks = how == Manner::kBreaksLater;
    CHECK(drawn.value().interop == (breaks ? "" : "import"));
    CHECK(drawn.value().interopReason ==
          (breaks ? "import failed: the device takes no image by a test" : ""));
    CHECK(drawn.value().frames == 40);
    CHECK(drawn.value().composedFrames == expected.value().composedFrames);
    CHECK(drawn.value().composedFrames > 30);
    CHECK(fixture::readFile(within) == fixture::readFile(through));
  }
  manner = Manner::kWorks;
  Timeline withoutInterop = movie(66, 50);
  withoutInterop.interop = InteropMode::kOff;
  const auto off = renderSegment(withoutInterop, {0, 4}, within, {}, never);
  REQUIRE(off.ok());
  CHECK((off.value().interop + off.value().interopReason).empty());
  const auto after = renderSegment(movie(66, 50), {0, 4}, within, {}, never);
  REQUIRE(after.ok());
  CHECK(after.value().interopReason == "import: the device takes no image by a test");
}

TEST_CASE("the CUDA backend reports a missing driver and unknown devices") {
  // Hosts with the driver report that the device does not exist.
  const auto open = kCudaInterop.open({{1, 2, 3}, -1}, 64, 48);
  REQUIRE(!open.ok());
  CHECK(open.error().code == ErrorCode::ENCODER_UNAVAILABLE);
  CHECK(!open.error().message.empty());
  const auto surface = kVaapiInterop.open({{1, 2, 3}, -1}, 64, 48);
  REQUIRE(!surface.ok());
  CHECK(surface.error().message == "the Vulkan driver does not report its render node");
  CHECK(!kVaapiInterop.open({{1, 2, 3}, 190}, 64, 48).ok());
}

namespace {

// Memory with rows at any place, which nothing reads.
class RowsOnly final : public DeviceMemory {
 public:
  RowsOnly(const Rows& luma, const Rows& chroma) : DeviceMemory(luma, chroma) {}
  Result<int> exportFd() const override { return -1; }
  uint64_t bytes() const override { return 0; }
  Status fill(const Image&) const override { return {}; }
};

Result<FramePtr> wrapInPlace(const InPlaceFrames& frames, const ImagePtr& image) {
  const BufferPtr pool(av_buffer_alloc(1));
  uint8_t memory[1];
  return frames.wrap(image, *pool, {memory, memory + image->deviceMemory()->rows(1).offset});
}

ImagePtr imageWithRows(const DeviceMemory::Rows& chroma) {
  return Image::onDevice(64, 48, std::make_shared<RowsOnly>(DeviceMemory::Rows{0, 256}, chroma));
}

}  // namespace

TEST_CASE("an image that NVENC reads in place is released after as many later ones as NVENC reorders") {
  const InPlaceFrames frames(6);
  std::vector<std::weak_ptr<const Image>> images;
  std::vector<FramePtr> sent;
  for (int i = 0; i < 6; ++i) {
    const ImagePtr image = imageWithRows({256 * 48, 256});
    images.push_back(image);
    CHECK_FALSE(frames.isFull());
    sent.push_back(wrapInPlace(frames, image).take());
    CHECK(sent.back()->linesize[0] == 256);
    CHECK(sent.back()->linesize[1] == 256);
  }
  CHECK(frames.isFull());
  const auto count = [&] {
    return std::count_if(images.begin(), images.end(), [](const auto& image) { return !image.expired(); });
  };
  for (size_t i = 0; i < 6; ++i) {
    // libav has references of its own, of which the last one counts.
    const FramePtr own(av_frame_clone(sent[i].get()));
    sent[i].reset();
    CHECK(count() == (i < 4 ? 6 : 6 - static_cast<int>(i - 3)));
  }
  CHECK(count() == 3);
  CHECK_FALSE(frames.isFull());
}

TEST_CASE("rows that NVENC cannot read are refused") {
  const InPlaceFrames frames(6);
  for (const DeviceMemory::Rows& chroma :
       {DeviceMemory::Rows{256 * 64, 256}, DeviceMemory::Rows{256 * 48, 512}}) {
    const auto wrapped = wrapInPlace(frames, imageWithRows(chroma));
    REQUIRE(!wrapped.ok());
    CHECK(wrapped.error().message == "the chroma is not directly behind the luma");
  }
}

}  // namespace framewright
