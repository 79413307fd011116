#include <vector>

#include "libav/hardware/interop/cuda_memory.h"
#include "libav/hardware/interop/decode_interop.h"
#include "libav/hardware/surface_rows.h"

// Copies NVDEC's frames on the GPU into memory of the compositor's device.
namespace framewright {
namespace {

// More than the decoder, the queue behind it and the frames in flight need.
constexpr size_t kMaxFrames = 32;

using MemoryPtr = std::unique_ptr<cuda::ImportedMemory>;

// Memory for frames of one size, which is imported once and reused. Any thread.
class FramePoolOnDevice {
 public:
  FramePoolOnDevice(const CudaFunctions& cuda, AVBufferRef& device,
                    std::shared_ptr<const DecodedFrameMemory> memory)
      : cuda_(cuda), device_(av_buffer_ref(&device)), memory_(std::move(memory)) {}

  ~FramePoolOnDevice() {
    const cuda::CurrentContext current = makeCurrent();
    free_.clear();
  }
  FramePoolOnDevice(const FramePoolOnDevice&) = delete;
  FramePoolOnDevice& operator=(const FramePoolOnDevice&) = delete;

  Result<MemoryPtr> acquire(const FrameShape& shape) {
    {
      const std::lock_guard lock(mutex_);
      if (shape != shape_) {
        const cuda::CurrentContext current = makeCurrent();
        free_.clear();
        shape_ = shape;
      }
      if (!free_.empty()) {
        MemoryPtr memory = std::move(free_.back());
        free_.pop_back();
        ++usedCount_;
        return memory;
      }
      if (usedCount_ >= kMaxFrames)
        return Error{ErrorCode::ENCODER_BUSY, "too many decoded frames are in use", ""};
    }
    FW_ASSIGN_OR_RETURN(auto allocated, memory_->allocate(shape.bits, shape.width, shape.height));
    const cuda::CurrentContext current = makeCurrent();
    FW_ASSIGN_OR_RETURN(MemoryPtr memory, cuda::ImportedMemory::import(cuda_, std::move(allocated)));
    const std::lock_guard lock(mutex_);
    ++usedCount_;
    return memory;
  }

  void release(MemoryPtr memory, const FrameShape& shape) {
    const cuda::CurrentContext current = makeCurrent();
    const std::lock_guard lock(mutex_);
    --usedCount_;
    if (shape == shape_) free_.push_back(std::move(memory));
    memory.reset();
  }

  // Copies both planes and waits until they are complete, so that the device's other queues see them.
  Status copy(const CUDA_MEMCPY2D (&planes)[2]) const {
    const cuda::CurrentContext current = makeCurrent();
    for (const CUDA_MEMCPY2D& plane : planes)
      FW_RETURN_IF_ERROR(
          cuda::check(cuda_, "cuMemcpy2DAsync", cuda_.cuMemcpy2DAsync(&plane, context().stream)));
    return cuda::check(cuda_, "cuStreamSynchronize", cuda_.cuStreamSynchronize(context().stream));
  }

 private:
  const AVCUDADeviceContext& context() const { return cuda::contextOf(*device_); }
  cuda::CurrentContext makeCurrent() const { return {cuda_, context().cuda_ctx}; }

  const CudaFunctions& cuda_;
  const BufferPtr device_;
  const std::shared_ptr<const DecodedFrameMemory> memory_;
  std::mutex mutex_;
  std::vector<MemoryPtr> free_;
  size_t usedCount_ = 0;
  FrameShape shape_;
};

// The size of a plane's copy.
CUDA_MEMCPY2D copyOf(int plane, const FrameShape& shape) {
  CUDA_MEMCPY2D copy{};
  copy.WidthInBytes =
      static_cast<size_t>((plane == 0 ? shape.width : (shape.width + 1) / 2 * 2) * shape.sampleBytes());
  copy.Height = static_cast<size_t>(plane == 0 ? shape.height : (shape.height + 1) / 2);
  return copy;
}

// A frame in memory of the pool, which it returns.
class CudaDecodedFrame final : public DownloadedOnce {
 public:
  CudaDecodedFrame(std::shared_ptr<FramePoolOnDevice> pool, MemoryPtr memory, const FrameShape& shape,
                   std::shared_ptr<const DecodeTarget> target, std::shared_ptr<FrameCopies> copies)
      : DownloadedOnce(shape, std::move(target), std::move(copies)),
        pool_(std::move(pool)),
        memory_(std::move(memory)) {}
  ~CudaDecodedFrame() override { pool_->release(std::move(memory_), shape()); }

  Status fill(const AVFrame& surface) const {
    CUDA_MEMCPY2D planes[2];
    for (int p = 0; p < 2; ++p) {
      planes[p] = copyOf(p, shape());
      planes[p].srcMemoryType = planes[p].dstMemoryType = CU_MEMORYTYPE_DEVICE;
      planes[p].srcDevice = reinterpret_cast<CUdeviceptr>(surface.data[p]);
      planes[p].srcPitch = static_cast<size_t>(surface.linesize[p]);
      planes[p].dstDevice = memory_->rowsOf(p);
      planes[p].dstPitch = memory_->memory()->rows(p).pitch;
    }
    return pool_->copy(planes);
  }

  const std::shared_ptr<const DeviceMemory>& memory() const { return memory_->memory(); }

 private:
  Status downloadTo(const Image& image) const override {
    FW_ASSIGN_OR_RETURN(const FramePtr downloaded, allocateFrame());
    downloaded->format = shape().surfaceFormat();
    downloaded->width = shape().width;
    downloaded->height = shape().height;
    if (av_frame_get_buffer(downloaded.get(), 0) < 0) return outOfMemory("frame");
    CUDA_MEMCPY2D planes[2];
    for (int p = 0; p < 2; ++p) {
      planes[p] = copyOf(p, shape());
      planes[p].srcMemoryType = CU_MEMORYTYPE_DEVICE;
      planes[p].srcDevice = memory_->rowsOf(p);
      planes[p].srcPitch = memory_->memory()->rows(p).pitch;
      planes[p].dstMemoryType = CU_MEMORYTYPE_HOST;
      planes[p].dstHost = downloaded->data[p];
      planes[p].dstPitch = static_cast<size_t>(downloaded->linesize[p]);
    }
    FW_RETURN_IF_ERROR(pool_->copy(planes));
    copySurface(*downloaded, shape().bits, {image.plane(0), image.plane(1), image.plane(2)});
    return {};
  }

  const std::shared_ptr<FramePoolOnDevice> pool_;
  MemoryPtr memory_;
};

class CudaDecodeInterop final : public DecodeInterop {
 public:
  CudaDecodeInterop(const CudaFunctions& cuda, AVBufferRef& device,
                    std::shared_ptr<const DecodeTarget> target, std::shared_ptr<FrameCopies> copies)
      : target_(std::move(target)),
        copies_(std::move(copies)),
        pool_(std::make_shared<FramePoolOnDevice>(cuda, device, target_->memory)) {}

  const char* name() const override { return "cuda"; }

  Result<ImagePtr> keep(const AVFrame& surface, FrameShape shape) override {
    FW_ASSIGN_OR_RETURN(MemoryPtr memory, pool_->acquire(shape));
    const auto frame = std::make_shared<CudaDecodedFrame>(pool_, std::move(memory), shape, target_, copies_);
    FW_RETURN_IF_ERROR(frame->fill(surface));
    ++copies_->device;
    return ImagePtr(
        Image::decodedOnDevice(shape.deviceFormat(), shape.width, shape.height, frame->memory(), frame));
  }

 private:
  const std::shared_ptr<const DecodeTarget> target_;
  const std::shared_ptr<FrameCopies> copies_;
  const std::shared_ptr<FramePoolOnDevice> pool_;
};

}  // namespace

Result<std::unique_ptr<DecodeInterop>> openCudaDecodeInterop(
    AVBufferRef& device, const std::string& name, const std::shared_ptr<const DecodeTarget>& target,
    const std::shared_ptr<FrameCopies>& copies) {
  FW_ASSIGN_OR_RETURN(const CudaFunctions* const driver, cuda::driver());
  FW_ASSIGN_OR_RETURN(const int ordinal, cuda::ordinalOf(target->device));
  if (name != std::to_string(ordinal))
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "another card composes", ""};
  return std::unique_ptr<DecodeInterop>(std::make_unique<CudaDecodeInterop>(*driver, device, target, copies));
}

}  // namespace framewright
