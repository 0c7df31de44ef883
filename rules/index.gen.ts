// Generated from the files below rules/. Change those, then: npm run generate
import type { AnyRule } from '../internal/rule/rule.ts';
import gitWrite from './guard/git-write.ts';
import hiddenTarget from './guard/hidden-target.ts';
import hookWiringWrite from './guard/hook-wiring-write.ts';
import inlineAlias from './guard/inline-alias.ts';
import ownerVerb from './guard/owner-verb.ts';
import policyLoosening from './guard/policy-loosening.ts';
import stateRead from './guard/state-read.ts';
import stateWrite from './guard/state-write.ts';
import containerPurge from './outside/container-purge.ts';
import databaseDrop from './outside/database-drop.ts';
import decodedExecution from './outside/decoded-execution.ts';
import infrastructureDestroy from './outside/infrastructure-destroy.ts';
import networkReach from './outside/network-reach.ts';
import packagePublish from './outside/package-publish.ts';
import persistence from './outside/persistence.ts';
import privilegeChange from './outside/privilege-change.ts';
import processSweep from './outside/process-sweep.ts';
import remoteExecution from './outside/remote-execution.ts';
import resourceExhaustion from './outside/resource-exhaustion.ts';
import systemState from './outside/system-state.ts';
import unknownPackage from './outside/unknown-package.ts';
import forcePush from './push/force-push.ts';
import hookBypass from './push/hook-bypass.ts';
import mergeBypass from './push/merge-bypass.ts';
import pushGate from './push/push-gate.ts';
import pushProtected from './push/push-protected.ts';
import pushUngated from './push/push-ungated.ts';
import remoteRefDelete from './push/remote-ref-delete.ts';
import reviewRewrite from './push/review-rewrite.ts';
import trackingWrite from './push/tracking-write.ts';
import backtickSubstitution from './run/backtick-substitution.ts';
import busyWait from './run/busy-wait.ts';
import captureFilter from './run/capture-filter.ts';
import chainedRun from './run/chained-run.ts';
import checkTimeout from './run/check-timeout.ts';
import checkpointState from './run/checkpoint-state.ts';
import dependencyInstall from './run/dependency-install.ts';
import dependencyUpdate from './run/dependency-update.ts';
import echoOnSuccess from './run/echo-on-success.ts';
import exitStatusEcho from './run/exit-status-echo.ts';
import filterWithoutInput from './run/filter-without-input.ts';
import gateRepeat from './run/gate-repeat.ts';
import graphPipe from './run/graph-pipe.ts';
import outputPipe from './run/output-pipe.ts';
import outputRedirect from './run/output-redirect.ts';
import processPoll from './run/process-poll.ts';
import rawTool from './run/raw-tool.ts';
import revertClassify from './run/revert-classify.ts';
import runnerTimeout from './run/runner-timeout.ts';
import siblingCheckout from './run/sibling-checkout.ts';
import splitRun from './run/split-run.ts';
import stageAll from './run/stage-all.ts';
import stageClassify from './run/stage-classify.ts';
import throwawayCopy from './run/throwaway-copy.ts';
import timedRun from './run/timed-run.ts';
import unjudgedTool from './run/unjudged-tool.ts';
import unknownEnv from './run/unknown-env.ts';
import secretPush from './secrets/secret-push.ts';
import secretRead from './secrets/secret-read.ts';
import secretSend from './secrets/secret-send.ts';
import secretStage from './secrets/secret-stage.ts';
import branchDrop from './work/branch-drop.ts';
import cleanUntracked from './work/clean-untracked.ts';
import discardChanges from './work/discard-changes.ts';
import diskWrite from './work/disk-write.ts';
import fileDelete from './work/file-delete.ts';
import fileOverwrite from './work/file-overwrite.ts';
import gitInternals from './work/git-internals.ts';
import historyRewrite from './work/history-rewrite.ts';
import mergeSideCheckout from './work/merge-side-checkout.ts';
import outsideDelete from './work/outside-delete.ts';
import permissionSweep from './work/permission-sweep.ts';
import protectedPath from './work/protected-path.ts';
import sharedStash from './work/shared-stash.ts';
import stashDrop from './work/stash-drop.ts';
import syncDelete from './work/sync-delete.ts';
import unreadLine from './work/unread-line.ts';
import worktreeRemove from './work/worktree-remove.ts';
import generatedWrite from './write/generated-write.ts';
import installedSkill from './write/installed-skill.ts';
import interpreterRewrite from './write/interpreter-rewrite.ts';
import regenSource from './write/regen-source.ts';
import scriptedRewrite from './write/scripted-rewrite.ts';
import sedInPlace from './write/sed-in-place.ts';
import testSkip from './write/test-skip.ts';

export const RULES: readonly AnyRule[] = [
  gitWrite,
  hiddenTarget,
  hookWiringWrite,
  inlineAlias,
  ownerVerb,
  policyLoosening,
  stateRead,
  stateWrite,
  containerPurge,
  databaseDrop,
  decodedExecution,
  infrastructureDestroy,
  networkReach,
  packagePublish,
  persistence,
  privilegeChange,
  processSweep,
  remoteExecution,
  resourceExhaustion,
  systemState,
  unknownPackage,
  forcePush,
  hookBypass,
  mergeBypass,
  pushGate,
  pushProtected,
  pushUngated,
  remoteRefDelete,
  reviewRewrite,
  trackingWrite,
  backtickSubstitution,
  busyWait,
  captureFilter,
  chainedRun,
  checkTimeout,
  checkpointState,
  dependencyInstall,
  dependencyUpdate,
  echoOnSuccess,
  exitStatusEcho,
  filterWithoutInput,
  gateRepeat,
  graphPipe,
  outputPipe,
  outputRedirect,
  processPoll,
  rawTool,
  revertClassify,
  runnerTimeout,
  siblingCheckout,
  splitRun,
  stageAll,
  stageClassify,
  throwawayCopy,
  timedRun,
  unjudgedTool,
  unknownEnv,
  secretPush,
  secretRead,
  secretSend,
  secretStage,
  branchDrop,
  cleanUntracked,
  discardChanges,
  diskWrite,
  fileDelete,
  fileOverwrite,
  gitInternals,
  historyRewrite,
  mergeSideCheckout,
  outsideDelete,
  permissionSweep,
  protectedPath,
  sharedStash,
  stashDrop,
  syncDelete,
  unreadLine,
  worktreeRemove,
  generatedWrite,
  installedSkill,
  interpreterRewrite,
  regenSource,
  scriptedRewrite,
  sedInPlace,
  testSkip,
];
