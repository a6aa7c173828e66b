/** What the scenarios are called and what each teaches. The English titles stand in the scenario files. */
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Lang } from './langs.ts';

interface Words {
  /** Chinese title. */
  readonly zhTitle: string;
  readonly en: string;
  readonly zh: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  'attach-fails': {
    zhTitle: '后端三次附加失败',
    en: 'A failing ControllerPublishVolume: who retries, at which intervals, and why the node hears of success late.',
    zh: 'ControllerPublishVolume 失败时由谁重试、隔多久重试，以及成功之后节点为什么晚一步才知道。',
  },
  'bind-reverts': {
    zhTitle: '选好节点后供应失败，选择被收回',
    en: 'The chosen node is written on the claim and taken back when no volume can be made for it.',
    zh: '选中的节点写在 PVC 上；那里建不出卷，选择又被收回。',
  },
  'block-as-filesystem': {
    zhTitle: '把 Block 卷写进 volumeMounts',
    en: 'The disk is attached all the same; the kubelet refuses the volume before it is ever staged.',
    zh: '磁盘照样附加，kubelet 在准备之前就拒绝了这个卷。',
  },
  'block-device': {
    zhTitle: '裸块卷是设备，不是目录',
    en: 'With volumeMode Block the container gets a device file and mountinfo has no row for it.',
    zh: 'volumeMode 为 Block 时，容器里出现的是设备文件，mountinfo 里没有它。',
  },
  'chosen-node-has-no-driver': {
    zhTitle: '调度器选中的节点上没有驱动',
    en: 'The scheduler does not ask whether the driver runs on the node; the provisioner finds out.',
    zh: '调度器不问节点上有没有驱动，供应的时候才发现。',
  },
  'claim-lost': {
    zhTitle: '绑定的 PV 被从 PVC 底下抽走',
    en: 'What it takes for a claim to become Lost, and that it stays so.',
    zh: 'PVC 要怎样才会变成 Lost，以及它不会自己好。',
  },
  'claim-not-found': {
    zhTitle: 'Pod 写的 PVC 不存在',
    en: 'The scheduler waits for the claim by name; making it wakes the pod.',
    zh: '调度器按名字等这个 PVC；PVC 一建，Pod 就被叫醒。',
  },
  'claim-recreate': {
    zhTitle: '同名重建的 PVC 是另一个卷',
    en: 'A name is no identity: the uid differs, the volume differs, the bytes are gone.',
    zh: '名字不是身份：uid 换了，卷换了，数据也没了。',
  },
  'class-not-found': {
    zhTitle: 'PVC 写的 StorageClass 不存在',
    en: 'Making the class wakes nothing; the claim is looked at again at the next resync.',
    zh: '补建 StorageClass 不会叫醒谁，要等下一次 resync（定期重新同步）才会再看这个 PVC。',
  },
  'configmap-key-missing': {
    zhTitle: 'ConfigMap 在，键不在',
    en: 'The volume beside the disk blocks the pod, and only its own message says which key.',
    zh: '卡住 Pod 的是磁盘旁边那个卷；缺哪个键，只有它自己的消息说得清。',
  },
  'container-restart': {
    zhTitle: '容器重启，Pod 和卷都没动',
    en: 'The same mount, the same bytes; what lay in the image layer is lost.',
    zh: '挂载没变，数据还在；写在镜像层里的没了。',
  },
  'default-class-local-path': {
    zhTitle: '没写 StorageClass，用了 kind 的默认类，它不是 CSI',
    en: 'A volume without attach and stage: those stations are passed through, not done.',
    zh: '没有附加、没有准备的卷：这两站是经过，不是做过。',
  },
  'delete-claim-in-use': {
    zhTitle: '使用中的 PVC 受保护，直到 Pod 离开',
    en: 'The finalizer waits for the pod object, not for the detach.',
    zh: 'finalizer 等的是 Pod 对象消失，不是卷脱离。',
  },
  'detach-fails': {
    zhTitle: '后端三次脱离失败',
    en: 'A failed detach disarms the Multi-Attach guard: two attachments, and the driver is the last to refuse.',
    zh: '脱离失败一次，Multi-Attach 的防线就失效：出现两个 VolumeAttachment，最后拒绝的是驱动。',
  },
  'ephemeral-volume': {
    zhTitle: '与 Pod 同生共死的 PVC',
    en: 'A generic ephemeral volume: who makes its claim, who owns it, when it goes.',
    zh: '通用临时卷：PVC 由谁建、归谁、什么时候走。',
  },
  'expand-online': {
    zhTitle: 'Pod 运行中，卷变大了',
    en: 'Resizing in its steps, and a condition that asks for a restart nobody needs.',
    zh: '扩容分几步走；还有一条要你重启的 condition，其实不用重启。',
  },
  'finished-pod': {
    zhTitle: 'Pod 跑完了，不再占着 PVC',
    en: 'A finished pod gives up the attachment, but the claim stays protected while its object is there.',
    zh: '跑完的 Pod 会放开附加；只要它的对象还在，PVC 就仍受保护。',
  },
  fsgroup: {
    zhTitle: '非 root 进程写不了，直到给了 fsGroup',
    en: 'Mounted is not writable: uid, fsGroup and the owner of the directory.',
    zh: '挂上了不等于写得了：UID、fsGroup 和目录的属主。',
  },
  'immediate-happy': {
    zhTitle: 'PVC 立即绑定，Pod 用上它',
    en: 'The whole line once, nothing wrong: from Bound to bytes read back from the mount.',
    zh: '整条线完整走一遍，没有故障：从 Bound 到从挂载点读回数据。',
  },
  'missing-secret': {
    zhTitle: '已经 Bound，Pod 却在等另一个卷',
    en: 'Claim, node and attachment are fine. A Secret that does not exist holds up the pod.',
    zh: 'PVC、节点、附加都没问题，一个不存在的 Secret 卡住了 Pod。',
  },
  'multi-attach': {
    zhTitle: 'ReadWriteOnce 卷还附加在另一个节点上',
    en: 'The second pod is scheduled; the attach-detach controller refuses. What counts is the node, not the pod.',
    zh: '第二个 Pod 能调度，附加被拒绝。算的是节点，不是 Pod。',
  },
  'node-down': {
    zhTitle: '节点失联，卷还附加着',
    en: 'Silence, eviction, the out-of-service taint, and the moment in which two processes have one volume.',
    zh: '失联、驱逐、out-of-service 污点，以及两个进程同时拿着一个卷的那一刻。',
  },
  'node-move': {
    zhTitle: 'Pod 搬到同区的另一个节点',
    en: 'Detach, then attach elsewhere: the same PV uid and handle, the same bytes.',
    zh: '先脱离，再附加到别处：PV 的 uid 和 handle 没变，数据没变。',
  },
  'pod-before-claim-binds': {
    zhTitle: 'Pod 跑在还绑不上的 Immediate PVC 前面',
    en: 'Why the pod says unbound immediate PersistentVolumeClaims, and what wakes it.',
    zh: 'Pod 为什么报 unbound immediate PersistentVolumeClaims，又是什么把它叫醒。',
  },
  'pod-recreate': {
    zhTitle: '换了新 Pod，PVC 没变，数据没变',
    en: 'Back on its node a pod gets no attach event, and still waits for the node status.',
    zh: '回到原节点的 Pod 没有附加事件，但仍要等一次节点状态上报。',
  },
  'provision-denied': {
    zhTitle: '驱动的凭据被彻底拒绝',
    en: 'PermissionDenied does not stop the retries; the claim stays Pending.',
    zh: 'PermissionDenied 也不会停止重试，PVC 一直 Pending。',
  },
  'provision-quota': {
    zhTitle: '后端拒绝两次，然后供应成功',
    en: 'ResourceExhausted on an Immediate claim: retried at 0, 1, 3, 7 seconds.',
    zh: 'Immediate PVC 遇到 ResourceExhausted：在 0、1、3、7 秒重试。',
  },
  'provision-times-out': {
    zhTitle: '后端两次答复超时',
    en: 'A deadline leaves it open whether a volume was made; the retry asks for the same name.',
    zh: '超时说明不了卷有没有建出来，重试时要的还是同一个名字。',
  },
  'provisioner-absent': {
    zhTitle: 'StorageClass 写的 provisioner 没人运行',
    en: 'Only one event tells: waiting for a volume to be created by somebody who is not there.',
    zh: '线索只有一条事件：在等一个并不存在的组件建卷。',
  },
  'publish-fails': {
    zhTitle: '发布到 Pod 目录失败两次',
    en: 'The staged device stays; only NodePublishVolume is tried again.',
    zh: '准备好的设备留着，重试的只有 NodePublishVolume。',
  },
  'read-only-mount': {
    zhTitle: '同一个 PVC 只读挂载，写被拒绝',
    en: 'The sixth field of mountinfo says ro, the end of the row still rw.',
    zh: 'mountinfo 第六个字段写着 ro，行尾却还是 rw。',
  },
  'read-only-one-container': {
    zhTitle: '两个容器一个卷，只有一个能写',
    en: 'Read-only is a property of the mount in one container, not of the volume.',
    zh: '只读是某个容器里那次挂载的属性，不是卷的属性。',
  },
  'retain-released': {
    zhTitle: 'Retain 留住了卷，但不留给下一个 PVC',
    en: 'Released is not Available: the next claim of the same name gets another volume.',
    zh: 'Released 不是 Available：下一个同名 PVC 拿到的是另一个卷。',
  },
  'retain-reuse': {
    zhTitle: '清掉 claimRef，把 Released 的卷交还出去',
    en: 'What makes a released volume bindable again, and who does it.',
    zh: 'Released 的卷怎样才能再次绑定，这一步由谁来做。',
  },
  'rolling-update': {
    zhTitle: '滚不动的滚动更新',
    en: 'RollingUpdate wants a second pod before the first goes; a ReadWriteOnce volume does not.',
    zh: 'RollingUpdate 要先起新 Pod 再停旧 Pod，ReadWriteOnce 卷不答应。',
  },
  'rwo-two-pods-one-node': {
    zhTitle: '同一节点上两个 Pod 共用 ReadWriteOnce 卷',
    en: 'ReadWriteOnce means one node. It locks nothing between pods.',
    zh: 'ReadWriteOnce 说的是一个节点，它不在 Pod 之间加锁。',
  },
  'rwop-preemption': {
    zhTitle: '优先级更高的 Pod 抢走独占卷',
    en: 'Preemption for a claim: the victim goes, and the message says nothing of it.',
    zh: '为了 PVC 而抢占：被抢的 Pod 走了，消息里却只字未提。',
  },
  'rwop-second-pod': {
    zhTitle: 'ReadWriteOncePod 让第二个 Pod 停在调度',
    en: 'The claim has its one pod; the scheduler says so for every node. It is free when the first has ended.',
    zh: 'PVC 只给一个 Pod，调度器对每个节点都这么说。第一个 Pod 结束，PVC 就空出来。',
  },
  'secret-removed': {
    zhTitle: 'Pod 运行着，Secret 不见了',
    en: 'Running and Ready, with FailedMount warnings; the old files stay readable.',
    zh: 'Pod 照常 Running、Ready，却有 FailedMount 警告；旧文件仍然读得到。',
  },
  'slow-goodbye': {
    zhTitle: '旧 Pod 走得慢',
    en: 'As long as the old pod is terminating, its volume stays where it is.',
    zh: '旧 Pod 只要还在 Terminating，卷就留在原处。',
  },
  'stage-fails-backoff': {
    zhTitle: '准备失败四次，kubelet 逐次退避',
    en: 'The delay doubles: 500 ms, 1 s, 2 s, 4 s. Who says it, and where it is written.',
    zh: '等待时间逐次翻倍：500 ms、1 s、2 s、4 s。由谁说、写在哪里。',
  },
  'statefulset-templates': {
    zhTitle: 'StatefulSet 建出自己的 PVC，也把它们留下',
    en: 'Claims from templates: their names, their order, and that they outlive the set.',
    zh: '模板建出的 PVC：叫什么名字、按什么顺序，以及 StatefulSet 没了它们还在。',
  },
  'static-no-match': {
    zhTitle: '没有合适的卷；来了不合适的；最后来了合适的',
    en: 'A volume made by hand wakes no claim; binding comes with the next resync.',
    zh: '手工建的卷叫不醒 PVC，要到下一次 resync（定期重新同步）才绑定。',
  },
  'static-volume': {
    zhTitle: '手工建的卷，最合适的是哪一个',
    en: 'Fewest access modes before smallest size: a 1Gi claim takes the 5Gi volume.',
    zh: '先比访问模式少的，再比容量小的：1Gi 的 PVC 拿走了 5Gi 的卷。',
  },
  'wait-for-first-consumer': {
    zhTitle: 'PVC Pending，在等第一个消费者',
    en: 'Nothing is wrong: the volume is made once a pod has a node.',
    zh: '这不是故障：Pod 选好节点，才开始建卷。',
  },
  'wait-pod-unschedulable': {
    zhTitle: 'PVC 在等，因为它的 Pod 调度不了',
    en: 'The claim is Pending because of CPU. Where to look is the pod.',
    zh: 'PVC Pending 的原因是 CPU 不够，该看的是 Pod。',
  },
  'wait-pod-untolerated-taint': {
    zhTitle: '唯一允许的可用区被打了污点',
    en: 'A taint on the node keeps a volume from being made.',
    zh: '节点上的一个污点，让卷建不出来。',
  },
  'wrong-path': {
    zhTitle: '写到了挂载点旁边，落进镜像层',
    en: 'Everything is green and the data is lost: the path is not under the mount.',
    zh: '一切正常，数据却没了：路径不在挂载点下面。',
  },
  'zone-class-forbids': {
    zhTitle: 'StorageClass 只允许另一个可用区',
    en: 'allowedTopologies against nodeSelector: no volume can be made where the pod may go.',
    zh: 'allowedTopologies 与 nodeSelector 冲突：Pod 能去的可用区，建不出卷。',
  },
  'zone-mismatch-immediate': {
    zhTitle: '立即绑定选了另一个可用区',
    en: 'Bound too early: the volume is fixed to one zone, the pod may only go to the other.',
    zh: '绑定得太早：卷固定在一个可用区，Pod 只能去另一个。',
  },
  'zone-wait-follows-pod': {
    zhTitle: '等一等，卷就跟着 Pod 去它的可用区',
    en: 'WaitForFirstConsumer hands the chosen node to the provisioner.',
    zh: 'WaitForFirstConsumer 把选好的节点交给 provisioner。',
  },
};

/** What a scenario is called on its page. */
export function scenarioTitle(lang: Lang, scenario: Scenario): string {
  return lang === 'zh' ? (WORDS[scenario.id]?.zhTitle ?? scenario.title) : scenario.title;
}

/** What a scenario teaches, in a sentence; empty for one that has no sentence yet. */
export function teaches(lang: Lang, id: string): string {
  return WORDS[id]?.[lang] ?? '';
}
