import { describe, expect, it } from 'vitest';
import { effectsIn } from './process-fixture.ts';

const kills = (line: string) =>
  effectsIn(line, 'process.').map((effect) =>
    effect.kind === 'process.kill'
      ? `${effect.by} ${effect.what.join(' ')}${effect.probe ? ' probe' : ''}${effect.signal ? ` -${effect.signal}` : ''}`
      : effect.kind === 'process.wait'
        ? `wait ${effect.seconds}`
        : effect.kind,
  );

describe('what is ended', () => {
  it.each([
    ['kill 123', ['pid 123']],
    ['kill -9 123 456', ['pid 123 456 -9']],
    ['kill -s TERM 123', ['pid 123 -TERM']],
    ['kill -SIGKILL 123', ['pid 123 -KILL']],
    ['kill -0 123', ['pid 123 probe -0']],
    ['kill -9 -1', ['all -1 -9']],
    ['kill -- -4711', ['pid -4711']],
    ['kill 0', ['job 0']],
    ['kill %1', ['job %1']],
    ['kill $!', ['job $!']],
    ['kill $PPID', ['parent $PPID']],
    ['kill -l', []],
    ['wmic process where name="node.exe" delete', ['name node.exe']],
    ['kill "$(ps -o ppid= -p "$SRV")"', ['parent ps -o ppid= -p "$SRV"']],
    ['kill $(ps -o ppid= 123)', ['parent ps -o ppid= 123']],
    ['kill $(lsof -ti :3000)', ['port :3000']],
    ['kill $(lsof -t -i tcp:3000)', ['port tcp:3000']],
    ['lsof -ti:3000 | xargs kill -9', ['port -ti:3000 -9']],
    ['kill "$(cat server.pid)"', ['pid cat server.pid']],
    ['kill $(pgrep -f node)', ['pattern node']],
    ['kill $(pgrep -x node)', ['name node']],
    ['kill $(pgrep -P 123)', ['job children of 123']],
    ['PIDS=$(pgrep -f node); kill -9 $PIDS', ['pattern node -9']],
    ['pgrep -f node | xargs kill', ['pattern node']],
    ['pgrep node | xargs -r -n1 kill -9', ['pattern node -9']],
    ["ps aux | grep '[n]ode' | awk '{print $2}' | xargs kill -9", ['pattern node -9']],
    ["ps aux | grep node | grep -v grep | awk '{print $2}' | xargs kill", ['pattern node']],
    ["ps aux | awk '/node/ {print $2}' | xargs kill", ['pattern node']],
    ['kill $(pidof node)', ['name node']],
    ['kill $(jobs -p)', ['job jobs']],
    ['pkill node', ['pattern node']],
    ['pkill -x node', ['name node']],
    ['pkill -9 -f "vite build"', ['pattern vite build -9']],
    ['pkill --signal HUP -f server.js', ['pattern server.js -HUP']],
    ['pkill -P 123', ['job children of 123']],
    ['pkill -F server.pid', ['pid server.pid']],
    ['pkill -u dev', ['user dev']],
    ['pkill -0 node', ['pattern node probe -0']],
    ['killall node', ['name node']],
    ['killall -9 node chrome', ['name node chrome -9']],
    ['killall -s KILL node', ['name node -KILL']],
    ['killall -u dev', ['user dev']],
    ['killall -l', []],
    ['fuser -k 3000/tcp', ['port 3000/tcp']],
    ['fuser -k -n tcp 3000', ['port 3000']],
    ['fuser 3000/tcp', []],
    ['taskkill //F //IM node.exe', ['name node.exe']],
    ['taskkill /PID 123 /F', ['pid 123']],
    ['npx kill-port 3000', ['port 3000']],
    ['sudo killall node', ['name node']],
    ["bash -c 'pkill -f node'", ['pattern node']],
    ['sleep 5m', ['wait 300']],
    ['sleep 1 2', ['wait 3']],
    ['sleep $N', []],
    ['echo "pkill -f node"', []],
    ['git commit -m "kill -9 -1"', []],
  ])('%s', (line, expected) => expect(kills(line)).toEqual(expected));
});
