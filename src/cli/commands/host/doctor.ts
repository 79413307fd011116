import type { Command } from 'commander';
import { loadConfig } from '../../../config/index.js';
import type { Finding } from '../../doctor/finding.js';
import { painterFor } from '../../paint.js';

export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what this host can do; exit code 1 if it cannot render')
    .option('--json', 'print one JSON object')
    .action(examine);
}

async function examine(options: { json?: boolean }): Promise<void> {
  const { examineHost } = await import('../../doctor/checks.js');
  const findings = await examineHost(loadConfig());
  const canRender = findings.every((finding) => finding.ok || !finding.essential);
  if (options.json === true) {
    console.log(JSON.stringify({ can_render: canRender, findings }));
  } else {
    console.log(asTable(findings));
    console.log(canRender ? '\nThis host can render.' : '\nThis host cannot render. Fix the lines marked !!.');
  }
  process.exitCode = canRender ? 0 : 1;
}

function asTable(findings: Finding[]): string {
  const width = (key: 'topic' | 'name'): number => Math.max(...findings.map((finding) => finding[key].length));
  const paint = painterFor(process.stdout);
  return findings
    .map((finding) => {
      const mark = finding.ok ? paint('green', 'yes') : finding.essential ? paint('red', '!! ') : paint('dim', 'no ');
      return `${mark}  ${finding.topic.padEnd(width('topic'))}  ${finding.name.padEnd(width('name'))}  ${finding.detail}`.trimEnd();
    })
    .join('\n');
}
