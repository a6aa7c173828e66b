/**
 * The applets of busybox 1.35 as Debian builds it (the recordings' image): what the image's /bin holds. Those that the
 * simulation has no rules for answer `NAME: not modelled by this simulation`; a name that is no applet is `not found`,
 * as in a real container.
 */
const APPLETS: ReadonlySet<string> = new Set(
  `[ [[ acpid adjtimex ar arch arp arping ascii ash awk base64 basename bc blkdiscard blockdev brctl bunzip2 busybox bzcat
  bzip2 cal cat chgrp chmod chown chroot chvt clear cmp cp cpio crc32 crond crontab cttyhack cut date dc dd deallocvt depmod
  devmem df diff dirname dmesg dnsdomainname dos2unix dpkg dpkg-deb du dumpkmap dumpleases echo ed egrep env expand expr factor
  fallocate false fatattr fdisk fgrep find findfs fold free freeramdisk fsfreeze fstrim ftpget ftpput getopt getty grep groups
  gunzip gzip halt head hexdump hostid hostname httpd hwclock i2cdetect i2cdump i2cget i2cset i2ctransfer id ifconfig ifdown ifup
  init insmod ionice ip ipcalc ipneigh kill killall klogd last less link linux32 linux64 linuxrc ln loadfont loadkmap logger login
  logname logread losetup ls lsmod lsscsi lzcat lzma lzop md5sum mdev microcom mim mkdir mkdosfs mke2fs mkfifo mknod mkpasswd
  mkswap mktemp modinfo modprobe more mount mt mv nameif nc netstat nl nologin nproc nsenter nslookup nuke od openvt partprobe
  passwd paste patch pidof ping ping6 pivot_root poweroff printf ps pwd rdate readlink realpath reboot renice reset resume rev rm
  rmdir rmmod route rpm rpm2cpio run-init run-parts sed seq setkeycodes setpriv setsid sh sha1sum sha256sum sha3sum sha512sum
  shred shuf sleep sort ssl_client start-stop-daemon stat strings stty su sulogin svc svok swapoff swapon switch_root sync sysctl
  syslogd tac tail tar taskset tc tee telnet telnetd test tftp time timeout top touch tr traceroute traceroute6 true truncate ts
  tty tunctl ubirename udhcpc udhcpd uevent umount uname uncompress unexpand uniq unix2dos unlink unlzma unshare unxz unzip uptime
  usleep uudecode uuencode vconfig vi w watch watchdog wc wget which who whoami xargs xxd xz xzcat yes zcat`.split(/\s+/),
);

/** Builtins of ash that the simulation has no rules for. */
export const UNMODELLED_BUILTINS: ReadonlySet<string> = new Set([
  'alias', 'bg', 'chdir', 'fg', 'getopts', 'hash', 'help', 'history', 'jobs', 'let', 'source', 'times', 'ulimit', 'unalias',
]);

/** Applets with rules of ours. `sh` and its kin are run by the shell itself. */
const MODELLED: ReadonlySet<string> = new Set([
  '[', '[[', 'ash', 'basename', 'busybox', 'cat', 'chgrp', 'chmod', 'chown', 'cp', 'cut', 'date', 'dirname', 'echo', 'egrep', 'env', 'false',
  'fgrep', 'find', 'grep', 'head', 'hostname', 'id', 'kill', 'ln', 'ls', 'mkdir', 'mount', 'mv', 'printf', 'pwd', 'readlink', 'rm', 'rmdir', 'seq',
  'sh', 'sha256sum', 'sleep', 'sort', 'stat', 'sync', 'tail', 'tee', 'test', 'touch', 'true', 'wc', 'which', 'whoami',
]);

/** Every applet's name, for the links in the image's /bin. */
export function appletNames(): readonly string[] {
  return [...APPLETS].filter((name) => name !== 'busybox');
}

/** Whether the image has a program of this name. */
export function isApplet(name: string): boolean {
  return APPLETS.has(name);
}

/** Whether the simulation has rules for the program. */
export function isModelledApplet(name: string): boolean {
  return MODELLED.has(name);
}
