/** 对照录制时不比较的内容，中文。英文原文在 `src/validator/ignored.ts`；少一条，类型检查就过不去。 */
import type { Ignored, IgnoredId } from '../validator/ignored.ts';

export const ignoredZh: Readonly<Record<IgnoredId, Ignored>> = {
  uid: { what: '对象自己的 uid（按 uid 引用别的对象时，比较的是引用了谁）', why: '每次运行都会生成新的' },
  resourceVersion: { what: 'resourceVersion 的数值（每次写入是否递增、引用和事件里有没有，仍然比较）', why: '它数的是整个集群的写入，别的运行也算在内' },
  time: { what: '时间（字段里有没有时间、记录的先后，仍然比较）', why: '两次运行开始的时刻不同，延迟又取决于周期循环走到哪一步' },
  generatedName: { what: '生成的名字、ID、哈希和 Pod IP 里的字符（比较的是它代表谁：某申请的卷、某卷在某节点上的附加）', why: '每次运行各自生成' },
  freeChoice: { what: '由集群自己选的节点名和区名（按角色比较：某 Pod 所在的节点；选中的是不是录制里出现过的，另外比较一次；失败的尝试选了哪个节点不比较）', why: '合适的节点不止一个时，调度器选哪个都对' },
  leftOut: { what: 'managedFields、last-applied 注解、Secret 的内容', why: '录制时就没有留下' },
  eventName: { what: '事件对象的名字', why: '由首次出现的时间生成；比较的是对象、reason、组件和文本' },
  eventExpiry: { what: '事件对象被删除', why: '事件只保留一小时，之前运行留下的会在这次运行里过期' },
  oldNodeEvent: { what: '节点上的事件，NodeReady 和 NodeNotReady 除外', why: '可能早于这次运行' },
  loopCount: { what: '由周期循环或竞态决定的事件重复次数（`freeCounts`）', why: '申请每 15 秒 resync 一次，节点状态每 10 秒上报一次，调度也可能抢在别人写入之前：轮到几次，每次运行都不一样' },
  publishTwice: { what: '紧跟着的第二次相同的 ControllerPublishVolume 或 DeleteVolume 成功调用', why: 'sidecar 自己的写入会让对象再次入队，它先看到写入还是先处理，全凭时机，所以有时答复一次 OK，有时两次' },
  printedValue: { what: '命令输出里的年龄、时间和次数（`maskedValues`），以及随它们和生成的名字而变的列宽', why: '每次运行，命令执行的时刻都不同' },
  mountRow: { what: 'mountinfo 一行里的两个挂载 ID、无设备文件系统（如 tmpfs）的编号，以及来源路径中主机卷名的字符和 Secret 文件的写入时间', why: 'ID 和编号由机器计数，字符由机器生成，写入时间每次运行都不同' },
  otherObject: { what: '其他命名空间里 Pod 的状态（local-path 的辅助 Pod），以及从未绑定过的卷的状态', why: '日志只录了这次运行的对象：它的命名空间，和它的申请的卷' },
  afterEnd: { what: '录制在最后一步结束之后出现的内容，不要求运行也有（运行若有，照样比较）', why: '录制程序多听了多久、10 秒一次的节点状态有没有落在里面，都不属于场景' },
  quietLine: { what: '不见证任何状态的日志行（`ignoredLines`，每条都有理由）', why: '它说的在别的记录里有，或者只是循环的重复' },
};
